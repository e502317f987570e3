// What remembering is worth: every frame of the given data sets, in its order, by agents that begin
// at the last plane, and afresh beside it (16 agents, Erdos-Renyi 0.5, chunks of 64 frames).
//
//   track_study PATH...             a line per sequence
//   track_study --frames PATH...    and one per frame
//
// Columns: median and most of messages per link, kB that an agent sends, iterations; the median and
// the largest distance (sine) of the agents' mean from the fresh solve's; frames that were doubted,
// fresh and tracked, and tracks that were lost.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "roadplane/base/stopwatch.hpp"
#include "roadplane/dpcp/plane_tracker.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/geometry/shards.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/pipeline/segment_config.hpp"

namespace {

using namespace roadplane;

constexpr std::size_t kChunk = 64;  // frames

struct Costs {
  std::vector<double> messages;
  std::vector<double> kilobytes;
  std::vector<double> iterations;
  std::vector<double> ms;
  int suspect = 0;
};

struct Study {
  Costs fresh;
  Costs tracked;
  std::vector<double> apart;
  int lost = 0;
};

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

double most(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

void add(Costs& costs, const PlaneFit& fit, const Graph& graph, double ms) {
  costs.messages.push_back(static_cast<double>(fit.traffic.messages_per_link));
  costs.kilobytes.push_back(fit.traffic.bytes_per_agent(graph) / 1e3);
  costs.iterations.push_back(static_cast<double>(fit.solve.iterations));
  costs.ms.push_back(ms);
  costs.suspect += fit.finding.suspect() ? 1 : 0;
}

Eigen::Vector4d mean_of(const PlaneFit& fit) {
  Eigen::Vector4d mean = Eigen::Vector4d::Zero();
  for (const Eigen::Vector4d& w : fit.w) mean += w;
  return mean.normalized();
}

void print(const char* how, const Costs& costs) {
  std::printf(
      "  %-8s messages %4.0f, %4.0f   kB %5.2f, %5.2f   iterations %3.0f, %3.0f   ms %.2f   "
      "suspect %d\n",
      how, median(costs.messages), most(costs.messages), median(costs.kilobytes),
      most(costs.kilobytes), median(costs.iterations), most(costs.iterations), median(costs.ms),
      costs.suspect);
}

Study study(const std::vector<const kitti::Frame*>& frames, bool each) {
  const SegmentPlan plan{SegmentConfig{}};
  const Graph& graph = plan.network.graph;
  Study result;
  PlaneTracker track;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    if (k % kChunk == 0) track.forget();
    const Scan scan = kitti::load_scan(*frames[k]);
    const Shards shards = make_shards(scan, plan.shards, plan.network.agents(), plan.seed);
    std::vector<HomogeneousCloud> clouds(static_cast<std::size_t>(plan.network.agents()));
    for (std::size_t i = 0; i < clouds.size(); ++i) {
      clouds[i].assign(
          scan, shards[static_cast<int>(i)],
          {columns_enough(plan.plane, plan.network.agents()), static_cast<std::uint32_t>(i)});
    }
    const auto solve = [&](auto&& with) {
      LocalChannel channel(plan.network);
      Stopwatch watch;
      PlaneFit fit = with(channel);
      return std::pair(std::move(fit), watch.lap_ms());
    };
    const auto [fresh, fresh_ms] =
        solve([&](Channel& c) { return find_plane(c, clouds, plan.plane); });
    const auto [fit, ms] = solve([&](Channel& c) { return track(c, clouds, plan.plane); });
    add(result.fresh, fresh, graph, fresh_ms);
    add(result.tracked, fit, graph, ms);
    result.lost += fit.began == PlaneStart::lost ? 1 : 0;
    double apart = 1;
    if (!fresh.w.empty() && !fit.w.empty()) apart = recovery_error(mean_of(fit), mean_of(fresh));
    result.apart.push_back(apart);
    if (each) {
      std::printf("    %-12s %-8s %3ld messages %5.2f kB %3ld (%3ld) iterations, apart %.1e%s%s\n",
                  frames[k]->name().c_str(), std::string(to_string(fit.began)).c_str(),
                  static_cast<long>(fit.traffic.messages_per_link),
                  fit.traffic.bytes_per_agent(graph) / 1e3, static_cast<long>(fit.solve.iterations),
                  static_cast<long>(fresh.solve.iterations), apart,
                  fresh.finding.suspect() ? " suspect afresh" : "",
                  fit.finding.suspect() ? " suspect" : "");
    }
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  bool each = false;
  for (int k = 1; k < argc; ++k) {
    if (std::strcmp(argv[k], "--frames") == 0) {
      each = true;
      continue;
    }
    const kitti::Dataset dataset = kitti::open_dataset(argv[k]);
    std::map<std::string, std::vector<const kitti::Frame*>> sequences;
    for (const kitti::Frame& frame : dataset.frames) sequences[frame.sequence].push_back(&frame);
    for (const auto& [name, frames] : sequences) {
      std::printf("%s, %s: %zu frames\n", argv[k], name.c_str(), frames.size());
      const Study result = study(frames, each);
      print("afresh", result.fresh);
      print("tracked", result.tracked);
      std::printf("  apart %.1e, %.1e   lost %d\n", median(result.apart), most(result.apart),
                  result.lost);
    }
  }
}
