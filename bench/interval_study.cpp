// How often the 95 % intervals of tilt and height hold the truth, on synthetic rough streets: for
// several kinds of shards and numbers of agents, every run on another street.
//
//   interval_study [RUNS]

#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/geometry/shards.hpp"
#include "roadplane/kitti/synthetic/scene.hpp"

namespace {

using namespace roadplane;

constexpr int kPoints = 30'000;
constexpr double kLeastRough = 0.01;  // [m]
constexpr double kMostRough = 0.03;   // [m]

struct Coverage {
  int runs = 0;
  int tilt = 0;
  int height = 0;
  double tilt_width_deg = 0;
  double height_width_m = 0;

  void add(const Finding& finding, const Plane& road) {
    ++runs;
    if (!finding.tilt_deg || !finding.height_m) return;
    const double tilt_deg = std::acos(std::abs(road.normal.z())) * 180 / M_PI;
    const auto holds = [](const Interval& i, double truth) {
      return i.low <= truth && truth <= i.high;
    };
    tilt += holds(*finding.tilt_deg, tilt_deg) ? 1 : 0;
    height += holds(*finding.height_m, road.offset_m) ? 1 : 0;
    tilt_width_deg += finding.tilt_deg->high - finding.tilt_deg->low;
    height_width_m += finding.height_m->high - finding.height_m->low;
  }
};

/// Streets of all kinds: even and sloped, empty and crowded.
kitti::SceneOptions street_of(int run, int runs) {
  kitti::SceneOptions options;
  options.seed = static_cast<std::uint64_t>(1000 + run);
  options.points_per_frame = kPoints;
  options.roughness_m = kLeastRough + (kMostRough - kLeastRough) * run / std::max(1, runs - 1);
  options.outlier_share = 0.4 + 0.05 * (run % 6);
  options.slope_deg = -4 + run % 9;
  options.cross_slope_deg = -2 + run % 5;
  return options;
}

PlaneFit fit_of(const Scan& scan, ShardKind kind, const Network& network) {
  const Shards shards = make_shards(scan, kind, network.agents(), 1);
  std::vector<HomogeneousCloud> clouds(static_cast<std::size_t>(network.agents()));
  const std::size_t enough = columns_enough({}, network.agents());
  for (int i = 0; i < network.agents(); ++i) {
    clouds[i].assign(scan, shards[i], {enough, static_cast<std::uint32_t>(i)});
  }
  LocalChannel channel(network);
  return find_plane(channel, clouds, {});
}

void study(int runs) {
  std::vector<Network> networks;
  for (const int agents : {1, 4, 16, 64}) {
    networks.emplace_back(agents == 1 ? Graph::path(1) : Graph::erdos_renyi(agents, 0.5, 1));
  }
  constexpr ShardKind kKinds[] = {ShardKind::azimuth, ShardKind::interleaved, ShardKind::random};
  std::map<std::pair<std::size_t, std::size_t>, Coverage> table;
  for (int run = 0; run < runs; ++run) {
    const kitti::SyntheticFrame frame = kitti::SyntheticScene(street_of(run, runs)).frame(0);
    for (std::size_t k = 0; k < std::size(kKinds); ++k) {
      for (std::size_t n = 0; n < networks.size(); ++n) {
        table[{k, n}].add(fit_of(frame.points, kKinds[k], networks[n]).finding, frame.road);
      }
    }
  }
  std::printf(
      "| shards | agents | tilt held | height held | mean width of tilt | of height |\n"
      "|---|---:|---:|---:|---:|---:|\n");
  for (const auto& [place, c] : table) {
    std::printf("| %s | %d | %.1f %% | %.1f %% | %.2f deg | %.1f mm |\n",
                std::string(to_string(kKinds[place.first])).c_str(),
                networks[place.second].agents(), 100.0 * c.tilt / c.runs, 100.0 * c.height / c.runs,
                c.tilt_width_deg / c.runs, 1e3 * c.height_width_m / c.runs);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 500;
  if (runs < 1) {
    std::fprintf(stderr, "usage: interval_study [RUNS]\n");
    return 1;
  }
  study(runs);
  return 0;
}
