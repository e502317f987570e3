#pragma once

#include "roadplane/mpi/mpi_group.hpp"
#include "roadplane/mpi/team.hpp"

namespace roadplane {

/// Ranks of an MPI job that work together. No wait is endless: the group's patience bounds it.
class MpiTeam final : public Team {
 public:
  explicit MpiTeam(MpiGroup ranks) : ranks_(std::move(ranks)) {}

  const MpiGroup& ranks() const { return ranks_; }
  int rank() const override { return ranks_.rank(); }
  int size() const override { return ranks_.size(); }

  std::unique_ptr<Channel> make_channel(const Network& network) const override;
  void together(const std::function<std::string()>& step) const override;
  std::string leaders_text(std::string text) const override;
  std::vector<std::string> all_texts(const std::string& own) const override;
  void sum(std::span<std::uint64_t> values) const override;
  /// Returns when all members have come here.
  void barrier() const;

 private:
  void gather_bytes(std::span<const std::uint32_t> positions, std::span<const std::byte> own,
                    std::size_t bytes_each, std::span<std::byte> whole) const override;

  MpiGroup ranks_;
};

}  // namespace roadplane
