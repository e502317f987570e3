#pragma once

#include "roadplane/mpi/communicator.hpp"
#include "roadplane/mpi/process_group.hpp"

namespace roadplane {

/// Ranks of an MPI job. No wait is endless: the communicator's patience bounds it.
class MpiProcessGroup final : public ProcessGroup {
 public:
  explicit MpiProcessGroup(Communicator ranks) : ranks_(std::move(ranks)) {}

  const Communicator& ranks() const { return ranks_; }
  int rank() const override { return ranks_.rank(); }
  int size() const override { return ranks_.size(); }

  std::unique_ptr<Channel> make_channel(const Network& network) const override;
  std::unique_ptr<Channel> make_channel(const Network& network,
                                        std::span<const int> rank_of_agent) const override;
  void run_together(const std::function<std::string()>& step) const override;
  std::string broadcast(std::string text) const override;
  std::vector<std::string> all_gather(const std::string& own) const override;
  void all_reduce_sum(std::span<std::uint64_t> values) const override;
  /// Returns when all of them have come here.
  void barrier() const;

 private:
  void gather_bytes(std::span<const std::uint32_t> positions, std::span<const std::byte> own,
                    std::size_t bytes_each, std::span<std::byte> whole) const override;

  Communicator ranks_;
};

}  // namespace roadplane
