// step_time DATASET [REPEATS]: how long the steps of a frame take one after the other, scan in
// memory, 16 agents in one thread: the least of REPEATS (20) for each frame, and of these the
// median over the frames, in milliseconds. ROADPLANE_ISA names the instruction set. Below
// `valgrind --tool=callgrind`, what REPEATS of 2 takes more than 1 are a warm frame's instructions.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <vector>

#include "roadplane/base/stopwatch.hpp"
#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/ground/relief.hpp"
#include "roadplane/ground/target.hpp"
#include "roadplane/kitti/dataset.hpp"

namespace {

using namespace roadplane;

constexpr std::array kSteps{"azimuth shards", "unit columns", "plane", "labels of the road",
                            "relief and labels of the ground"};
using Times = std::array<double, kSteps.size()>;

/// What an agent keeps from frame to frame is made once.
class Steps {
 public:
  Steps() : clouds_(kAgents), all_(kAgents) {
    std::iota(all_.begin(), all_.end(), 0);
    // What an observer would see of the end is not part of the solve.
    std::visit([](auto& o) { o.trace.end = false; }, options_.solver);
  }

  Times operator()(const Scan& scan) {
    Times ms{};
    Stopwatch watch;
    const Shards shards = make_shards(scan, ShardKind::azimuth, kAgents);
    ms[0] = watch.lap_ms();
    assign_shards(scan, shards, all_, clouds_, {columns_enough(options_, kAgents)});
    ms[1] = watch.lap_ms();
    LocalChannel channel(network_);
    const PlaneFit fit = find_plane(channel, clouds_, options_);
    ms[2] = watch.lap_ms();
    if (fit.w.empty()) return ms;
    const PointLabels road = label_points(scan, shards, fit.w, default_threshold(Target::road));
    ms[3] = watch.lap_ms();
    const Ground ground = find_ground_(channel, scan, shards, fit.w);
    ms[4] = watch.lap_ms();
    if (road.road.size() != scan.size() || ground.labels.road.size() != scan.size()) std::abort();
    return ms;
  }

 private:
  static constexpr int kAgents = 16;

  Network network_{Graph::erdos_renyi(kAgents, 0.5, 1)};
  std::vector<HomogeneousCloud> clouds_;
  std::vector<int> all_;
  PlaneOptions options_;
  GroundFinder find_ground_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: step_time DATASET [REPEATS]\n");
    return 1;
  }
  const int repeats = argc > 2 ? std::atoi(argv[2]) : 20;
  Steps steps;
  std::array<std::vector<double>, kSteps.size()> of_frames;
  for (const kitti::Frame& frame : kitti::open_dataset(argv[1]).frames) {
    const Scan scan = kitti::load_scan(frame);
    Times least;
    least.fill(std::numeric_limits<double>::infinity());
    for (int k = 0; k < repeats; ++k) {
      const Times ms = steps(scan);
      std::transform(ms.begin(), ms.end(), least.begin(), least.begin(),
                     [](double a, double b) { return std::min(a, b); });
    }
    for (std::size_t k = 0; k < kSteps.size(); ++k) of_frames[k].push_back(least[k]);
  }
  std::printf("%zu frames, %s\n", of_frames[0].size(), to_string(active_isa()).data());
  for (std::size_t k = 0; k < kSteps.size(); ++k) {
    std::sort(of_frames[k].begin(), of_frames[k].end());
    std::printf("%-32s %.3f\n", kSteps[k], of_frames[k][of_frames[k].size() / 2]);
  }
}
