// Costs of the solver core on one thread: agent-iterations of the inner loop (whitened l3, 4 x 1,
// batch 16) and full gradient passes, as functions of the number of agents and of points.

#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <vector>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/geometry/shards.hpp"
#include "roadplane/objective/cloud_objective.hpp"
#include "roadplane/objective/l3_loss.hpp"
#include "roadplane/solver/vrsgt.hpp"

namespace {

using namespace roadplane;

/// 60 % road, 40 % anything: what the loops see, without a data set.
Scan street(std::size_t count) {
  CounterRandom random(1, RandomUse::user);
  Scan scan(count);
  for (Point& p : scan) {
    p.x = static_cast<float>(80 * random.uniform() - 40);
    p.y = static_cast<float>(80 * random.uniform() - 40);
    p.z = random.uniform() < 0.6 ? -1.7F : static_cast<float>(6 * random.uniform() - 1.7);
  }
  return scan;
}

struct Problem {
  std::vector<HomogeneousCloud> clouds;
  std::vector<std::unique_ptr<Objective<4, 1>>> objectives;

  Problem(std::size_t points, int agents) : clouds(agents) {
    const Scan scan = street(points);
    const Shards shards = make_shards(scan, ShardKind::interleaved, agents);
    for (int i = 0; i < agents; ++i) {
      clouds[i].assign(scan, shards[i]);
      objectives.push_back(std::make_unique<CloudObjective<L3Loss, 1>>(clouds[i]));
    }
  }
};

void inner_loop(benchmark::State& state) {
  const int agents = static_cast<int>(state.range(0));
  const auto points = static_cast<std::size_t>(state.range(1));
  const Problem problem(points, agents);
  // Eight links an agent on average, whatever the number of agents: as Erdos-Renyi 0.5 with 16.
  const Network network(Graph::erdos_renyi(agents, std::min(1.0, 8.0 / agents), 1));
  LocalChannel channel(network);
  VrsgtOptions options;
  options.step = 1e-3;
  options.batch = 16;
  options.inner_iterations = 1 << 30;  // the inner loop only
  const Eigen::Vector4d start = Eigen::Vector4d::UnitZ();
  Vrsgt<4, 1> method(channel, problem.objectives, std::vector(agents, start), options);
  std::int64_t iteration = 1;
  method.iterate(iteration);
  for (auto _ : state) method.iterate(++iteration);
  state.counters["agent_iterations"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * agents, benchmark::Counter::kIsRate);
}

void full_gradient(benchmark::State& state) {
  const auto points = static_cast<std::size_t>(state.range(0));
  const Problem problem(points, 1);
  Eigen::Vector4d gradient;
  for (auto _ : state) {
    problem.objectives[0]->gradient(Eigen::Vector4d::UnitZ(), gradient);
    benchmark::DoNotOptimize(gradient);
  }
  state.counters["points"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(points),
                         benchmark::Counter::kIsRate);
}

BENCHMARK(inner_loop)
    ->ArgNames({"agents", "points"})
    ->Args({16, 120'000})
    ->Args({64, 120'000})
    ->Args({256, 120'000})
    ->Args({1024, 120'000})
    ->Args({16, 100'000})
    ->Args({16, 1'000'000})
    ->Args({16, 10'000'000});
BENCHMARK(full_gradient)
    ->ArgName("points")
    ->Arg(120'000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
