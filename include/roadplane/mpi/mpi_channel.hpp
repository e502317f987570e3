#pragma once

#include <memory>
#include <vector>

#include "roadplane/mpi/communicator.hpp"
#include "roadplane/network/channel.hpp"

namespace roadplane {

/// Every MPI rank hosts some of the agents. Values cross between ranks in one message per
/// neighbouring rank and round (point-to-point); no collective is used except to observe. The
/// results are those of LocalChannel, bit for bit, whatever the number of ranks.
class MpiChannel final : public Channel {
 public:
  /// All of the ranks take part. The network must outlive the channel.
  MpiChannel(const Network& network, const Communicator& ranks);
  /// The same where it is given who hosts whom: every rank at least one agent.
  MpiChannel(const Network& network, const Communicator& ranks, std::vector<int> rank_of_agent);
  ~MpiChannel() override;

  void observe(std::span<const double> hosted_rows, int width,
               std::span<double> all_rows) const override;

 private:
  struct Links;

  void fetch_neighbours(std::span<std::byte> table, int row_bytes) override;
  void flood(std::span<double> largest, int rounds) override { pass_on(largest, rounds); }
  void flood(std::span<float> largest, int rounds) override { pass_on(largest, rounds); }
  template <class Number>
  void pass_on(std::span<Number> largest, int rounds);

  std::vector<int> rank_of_agent_;
  std::unique_ptr<Links> between_ranks_;
};

/// The agents that `rank` hosts: consecutive numbers; ranks differ by at most one agent.
std::vector<int> hosted_agents(int agents, int rank, int ranks);

}  // namespace roadplane
