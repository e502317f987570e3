// From raw points in memory to w on one thread, with default options: the whole solve and its
// phases, as functions of the number of points and of agents. Set ROADPLANE_ISA to plain, avx2 or
// avx512 to compare the kernels.

#include <benchmark/benchmark.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/geometry/shards.hpp"
#include "roadplane/objective/robust_objective.hpp"

namespace {

using namespace roadplane;

/// Rings around the sensor as in a KITTI scan: 60 % road, the rest stands on it.
Scan street(std::size_t count) {
  CounterRandom random(1, RandomUse::user);
  Scan scan(count);
  for (std::size_t k = 0; k < count; ++k) {
    const double angle = 6.2832 * 64 * static_cast<double>(k) / static_cast<double>(count);
    const double range_m =
        60.0 * std::exp(-2.5 * static_cast<double>(k) / static_cast<double>(count));
    const double above_m = random.uniform() < 0.6 ? 0 : 4 * random.uniform();
    scan[k] = {static_cast<float>(range_m * std::cos(angle)),
               static_cast<float>(range_m * std::sin(angle)),
               static_cast<float>(above_m - 1.7 + 0.01 * random.normal()), 0};
  }
  return scan;
}

struct Setting {
  Scan scan;
  Shards shards;
  Network network;
  std::vector<int> agents;
  std::vector<HomogeneousCloud> clouds;

  Setting(std::size_t points, int count, ShardKind kind)
      : scan(street(points)),
        shards(make_shards(scan, kind, count)),
        // Eight links an agent on average, whatever the number of agents.
        network(Graph::erdos_renyi(count, std::min(1.0, 8.0 / count), 1)),
        agents(count),
        clouds(count) {
    std::iota(agents.begin(), agents.end(), 0);
  }
  void normalise() {
    assign_shards(scan, shards, agents, clouds, {columns_enough({}, shards.agents())});
  }
};

ShardKind kind_of(const benchmark::State& state) {
  return state.range(2) == 0 ? ShardKind::contiguous : ShardKind::interleaved;
}

void whole_solve(benchmark::State& state) {
  Setting setting(static_cast<std::size_t>(state.range(0)), static_cast<int>(state.range(1)),
                  kind_of(state));
  PlaneFit result;
  for (auto _ : state) {
    setting.normalise();
    LocalChannel channel(setting.network);
    result = find_plane(channel, setting.clouds, {});
  }
  state.SetLabel(std::string(to_string(active_isa())));
  state.counters["rounds"] = static_cast<double>(result.traffic.rounds);
  state.counters["kB_per_agent"] = result.traffic.bytes_per_agent(setting.network.graph) / 1000;
}

void normalising(benchmark::State& state) {
  Setting setting(static_cast<std::size_t>(state.range(0)), static_cast<int>(state.range(1)),
                  kind_of(state));
  for (auto _ : state) setting.normalise();
  state.SetLabel(std::string(to_string(active_isa())));
}

/// What the solve's parts take: finding a start, the iterations, and the rest (last agreement,
/// inspection).
void phases(benchmark::State& state) {
  Setting setting(static_cast<std::size_t>(state.range(0)), static_cast<int>(state.range(1)),
                  kind_of(state));
  setting.normalise();
  double start = 0;
  double iterations = 0;
  double rest = 0;
  for (auto _ : state) {
    LocalChannel channel(setting.network);
    const PlaneFit result = find_plane(channel, setting.clouds, {});
    start += result.start_seconds;
    iterations += result.solve.seconds - result.start_seconds;
    rest += result.start_seconds + result.solving_seconds - result.solve.seconds;
  }
  const auto mean_ms = [&](double seconds) {
    return benchmark::Counter(1e3 * seconds, benchmark::Counter::kAvgIterations);
  };
  state.counters["start_ms"] = mean_ms(start);
  state.counters["iterations_ms"] = mean_ms(iterations);
  state.counters["rest_ms"] = mean_ms(rest);
}

void full_gradient(benchmark::State& state) {
  Setting setting(static_cast<std::size_t>(state.range(0)), 1, ShardKind::contiguous);
  setting.normalise();
  const RobustObjective objective(setting.clouds[0], Eigen::Matrix4d::Identity(),
                                  RobustOptions().window(), {});
  const Eigen::Vector4d w = Eigen::Vector4d(0, 0, 1, 1.7).normalized();
  Eigen::Vector4d gradient;
  for (auto _ : state) {
    objective.gradient(w, gradient);
    benchmark::DoNotOptimize(gradient);
  }
  state.SetLabel(std::string(to_string(active_isa())));
}

BENCHMARK(whole_solve)
    ->ArgNames({"points", "agents", "interleaved"})
    ->Args({120'000, 16, 0})
    ->Args({120'000, 16, 1})
    ->Args({100'000, 16, 0})
    ->Args({1'000'000, 16, 0})
    ->Args({10'000'000, 16, 0})
    ->Args({120'000, 1, 0})
    ->Args({120'000, 4, 0})
    ->Args({120'000, 64, 0})
    ->Args({120'000, 256, 0})
    ->Args({120'000, 1024, 0})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(normalising)
    ->ArgNames({"points", "agents", "interleaved"})
    ->Args({120'000, 16, 0})
    ->Args({120'000, 16, 1})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(phases)
    ->ArgNames({"points", "agents", "interleaved"})
    ->Args({120'000, 16, 0})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(full_gradient)
    ->ArgName("points")
    ->Arg(7'500)
    ->Arg(120'000)
    ->Arg(10'000'000)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
