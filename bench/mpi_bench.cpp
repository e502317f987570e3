// Agents over MPI ranks, run by bench/mpi_bench.sh: what an iteration of VRSGT takes (16 agents,
// 4 x 1, batch 16, Erdos-Renyi 0.5) beside the bare exchange of the same messages, and what the
// same exchange takes as a neighbourhood collective. The best of several repetitions counts, since
// the machine does other things, too. Rank 0 prints one line: "roadplane RANKS key=value ...".
// "mpi_bench network" prints the mixing weights, for bench/vrsgt_mpi4py.py.

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/geometry/shards.hpp"
#include "roadplane/mpi/mpi_channel.hpp"
#include "roadplane/objective/cloud_objective.hpp"
#include "roadplane/objective/l3_loss.hpp"
#include "roadplane/solver/vrsgt.hpp"

namespace {

using namespace roadplane;

constexpr int kAgents = 16;
constexpr int kWidth = 8;  // X and D
constexpr int kWideWidth = 8 * 1024;

/// The least time of a call, in microseconds, over repetitions of `calls`.
double best_us(int repetitions, int calls, const std::function<void()>& call) {
  double best = 1e30;
  for (int k = 0; k < repetitions; ++k) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int c = 0; c < calls; ++c) call();
    best = std::min(best, (MPI_Wtime() - begin) / calls * 1e6);
  }
  return best;
}

/// 60 % road, 40 % anything.
Scan street() {
  CounterRandom random(1, RandomUse::user);
  Scan scan(120'000);
  for (Point& p : scan) {
    p.x = static_cast<float>(80 * random.uniform() - 40);
    p.y = static_cast<float>(80 * random.uniform() - 40);
    p.z = random.uniform() < 0.6 ? -1.7F : static_cast<float>(6 * random.uniform() - 1.7);
  }
  return scan;
}

double iteration_us(MpiChannel& channel, int repetitions, int calls) {
  const Scan scan = street();
  const Shards shards = make_shards(scan, ShardKind::interleaved, kAgents);
  std::vector<HomogeneousCloud> clouds(channel.hosted_count());
  std::vector<std::unique_ptr<Objective<4, 1>>> objectives;
  for (int r = 0; r < channel.hosted_count(); ++r) {
    clouds[r].assign(scan, shards[channel.hosted()[r]]);
    objectives.push_back(std::make_unique<CloudObjective<L3Loss, 1>>(clouds[r]));
  }
  VrsgtOptions options;
  options.step = 1e-3;
  options.inner_iterations = 1 << 30;  // the inner loop only
  Vrsgt<4, 1> method(channel, objectives,
                     std::vector<Eigen::Vector4d>(clouds.size(), Eigen::Vector4d::UnitZ()),
                     options);
  std::int64_t iteration = 0;
  method.iterate(++iteration);
  return best_us(repetitions, calls, [&] { method.iterate(++iteration); });
}

double exchange_us(MpiChannel& channel, int width, int repetitions, int calls) {
  std::vector<double> table(static_cast<std::size_t>(channel.table_rows()) * width);
  return best_us(repetitions, calls, [&] { channel.exchange(table, width, 2); });
}

/// The same messages between the same ranks, as one collective on a distributed graph.
class NeighbourCollective {
 public:
  NeighbourCollective(const Graph& graph, std::span<const int> hosted, int ranks) {
    std::vector<int> rank_of(kAgents);
    for (int rank = 0; rank < ranks; ++rank) {
      for (const int agent : hosted_agents(kAgents, rank, ranks)) rank_of[agent] = rank;
    }
    std::map<int, std::pair<std::vector<bool>, std::vector<bool>>> rows;  // sent, received
    for (const int agent : hosted) {
      for (const int neighbour : graph.neighbours(agent)) {
        if (rank_of[neighbour] == rank_of[agent]) continue;
        auto& [sent, received] = rows[rank_of[neighbour]];
        sent.resize(kAgents);
        received.resize(kAgents);
        sent[agent] = received[neighbour] = true;
      }
    }
    for (const auto& [rank, mask] : rows) {
      partners_.push_back(rank);
      add(mask.first, send_counts_, send_starts_, out_);
      add(mask.second, receive_counts_, receive_starts_, in_);
    }
    const int count = static_cast<int>(partners_.size());
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, count, partners_.data(), MPI_UNWEIGHTED, count,
                                   partners_.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm_);
  }
  ~NeighbourCollective() { MPI_Comm_free(&comm_); }
  NeighbourCollective(const NeighbourCollective&) = delete;
  NeighbourCollective& operator=(const NeighbourCollective&) = delete;

  void exchange() {
    MPI_Neighbor_alltoallv(out_.data(), send_counts_.data(), send_starts_.data(), MPI_DOUBLE,
                           in_.data(), receive_counts_.data(), receive_starts_.data(), MPI_DOUBLE,
                           comm_);
  }
  int partners() const { return static_cast<int>(partners_.size()); }

 private:
  static void add(const std::vector<bool>& mask, std::vector<int>& counts, std::vector<int>& starts,
                  std::vector<double>& buffer) {
    counts.push_back(kWidth * static_cast<int>(std::count(mask.begin(), mask.end(), true)));
    starts.push_back(static_cast<int>(buffer.size()));
    buffer.resize(buffer.size() + counts.back());
  }

  std::vector<int> partners_, send_counts_, send_starts_, receive_counts_, receive_starts_;
  std::vector<double> out_, in_;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

void measure(const Communicator& all_ranks, int repetitions) {
  const int ranks = all_ranks.size();
  const Network network(Graph::erdos_renyi(kAgents, 0.5, 1));
  MpiChannel channel(network, all_ranks);
  NeighbourCollective collective(network.graph, channel.hosted(), ranks);
  const int calls = ranks <= 2 ? 5000 : 400;
  const double iteration = iteration_us(channel, repetitions, calls);
  const double exchange = exchange_us(channel, kWidth, repetitions, calls);
  const double wide = exchange_us(channel, kWideWidth, repetitions, 20);
  const double neighbour = best_us(repetitions, calls, [&] { collective.exchange(); });
  int partners = collective.partners();
  int rows = channel.table_rows() - channel.hosted_count();
  MPI_Allreduce(MPI_IN_PLACE, &partners, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &rows, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (all_ranks.rank() == 0) {
    std::printf(
        "roadplane %d iteration_us=%.3f exchange_us=%.3f neighbour_us=%.3f wide_us=%.1f "
        "messages=%d wide_kb=%.0f\n",
        ranks, iteration, exchange, neighbour, wide, partners, rows * kWideWidth * 8e-3);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "network") {
    const Eigen::MatrixXd weights = Network(Graph::erdos_renyi(kAgents, 0.5, 1)).mixing.dense();
    std::cout << weights.format(Eigen::IOFormat(Eigen::FullPrecision)) << '\n';
    return 0;
  }
  measure(Communicator::start(), argc > 1 ? std::max(1, std::atoi(argv[1])) : 20);
  return 0;
}
