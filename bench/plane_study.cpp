// The experiment behind the defaults of RobustOptions, of the start and of the doubts: how far the
// plane is off on every frame that has a truth, below DATA/kitti and DATA/lidar, and on synthetic
// streets; worst agent over networks, kinds of shards and seeds.
//
//   plane_study DATA [--seeds N] [--networks] [--shards] [--streets]

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "roadplane/base/stopwatch.hpp"
#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/geometry/plane.hpp"
#include "roadplane/geometry/shards.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/ground_truth.hpp"
#include "roadplane/kitti/synthetic/scene.hpp"

namespace {

using namespace roadplane;

struct Problem {
  std::string set;
  std::string name;
  Scan scan;
  std::optional<Eigen::Vector4d> truth;
};

struct Wanted {
  std::filesystem::path data;
  std::uint64_t seeds = 1;
  bool networks = false;
  bool shards = false;
  bool streets = false;
};

void add_folder(const Wanted& wanted, const char* set, const char* folder,
                std::vector<Problem>& problems) {
  const auto path = wanted.data / folder;
  if (!std::filesystem::exists(path)) return;
  for (const kitti::Frame& frame : kitti::open_dataset(path).frames) {
    Problem& problem = problems.emplace_back();
    problem.set = set;
    problem.name = frame.name();
    problem.scan = kitti::load_scan(frame);
    if (const auto truth = kitti::load_ground_truth(frame, problem.scan)) {
      problem.truth = truth->hyperplane;
    }
  }
}

void add_streets(std::vector<Problem>& problems) {
  const std::pair<const char*, kitti::SceneOptions> kinds[] = {
      {"plain", {}},
      {"70 %", {.outlier_share = 0.7}},
      {"second plane", {.second_plane_share = 0.25}},
      {"both", {.outlier_share = 0.7, .second_plane_share = 0.25}},
      {"slopes", {.slope_deg = 6, .cross_slope_deg = 3}},
      {"steep", {.slope_deg = 8}},
      {"rough", {.roughness_m = 0.03}}};
  for (const auto& [name, kind] : kinds) {
    for (std::uint64_t seed = 31; seed <= 33; ++seed) {
      kitti::SceneOptions options = kind;
      options.seed = seed;
      const kitti::SyntheticFrame frame = kitti::SyntheticScene(options).frame(0);
      problems.push_back({"street", std::string(name) + " " + std::to_string(seed), frame.points,
                          frame.road.hyperplane()});
    }
  }
}

struct Outcome {
  double worst = 0;  ///< recovery error of any agent
  double moved = 0;  ///< between the planes of two runs
  std::int64_t rounds = 0;
  double bytes = 0;
  double best_ms = 1e9;
  bool lowered = false;
  std::string note;
  std::optional<Interval> tilt_deg, height_m;
  Plane plane;
};

Outcome solve(const Problem& problem, const Wanted& wanted) {
  std::vector<Network> networks;
  networks.emplace_back(Graph::erdos_renyi(16, 0.5, 1));
  if (wanted.networks) {
    networks.emplace_back(Graph::ring(16));
    networks.emplace_back(Graph::star(16));
    networks.emplace_back(Graph::ring(64));
  }
  std::vector<ShardKind> kinds{ShardKind::azimuth};
  if (wanted.shards) {
    kinds.insert(kinds.end(), {ShardKind::contiguous, ShardKind::interleaved, ShardKind::random});
  }
  Outcome outcome;
  std::optional<Eigen::Vector4d> first;
  for (const Network& network : networks) {
    for (const ShardKind kind : kinds) {
      const Shards shards = make_shards(problem.scan, kind, network.agents(), 1);
      std::vector<HomogeneousCloud> clouds(static_cast<std::size_t>(network.agents()));
      for (int i = 0; i < network.agents(); ++i) clouds[i].assign(problem.scan, shards[i]);
      for (std::uint64_t seed = 1; seed <= wanted.seeds; ++seed) {
        PlaneOptions options;
        std::get<VrsgtOptions>(options.solver).seed = seed;
        auto& robust = std::get<RobustOptions>(options.objective);
        if (problem.set == "annotated") robust.sought = PlaneSought::dominant;
        LocalChannel channel(network);
        const Stopwatch watch;
        const PlaneFit fit = find_plane(channel, clouds, options);
        outcome.best_ms = std::min(outcome.best_ms, watch.ms());
        if (fit.w.empty()) {
          outcome.note = fit.degeneracy;
          outcome.worst = 1;
          continue;
        }
        for (const Eigen::Vector4d& w : fit.w) {
          if (problem.truth) {
            outcome.worst = std::max(outcome.worst, recovery_error(w, *problem.truth));
          }
          if (!first) first = w;
          outcome.moved = std::max(outcome.moved, recovery_error(w, *first));
        }
        if (&network == networks.data()) {
          outcome.rounds = std::max(outcome.rounds, fit.traffic.rounds);
          outcome.bytes = std::max(outcome.bytes, fit.traffic.bytes_per_agent(network.graph));
        }
        outcome.lowered = fit.finding.lowered;
        const std::string note = fit.finding.note();
        if (outcome.note.size() < note.size()) outcome.note = note;
        if (fit.finding.suspect()) outcome.note = "SUSPECT " + note;
        outcome.tilt_deg = fit.finding.tilt_deg;
        outcome.height_m = fit.finding.height_m;
        outcome.plane = Plane::from_hyperplane(fit.w[0]).value_or(Plane());
      }
    }
  }
  return outcome;
}

int study(const Wanted& wanted) {
  std::vector<Problem> problems;
  add_folder(wanted, "annotated", "kitti/dpcp_annotations", problems);
  add_folder(wanted, "odometry", "kitti/odometry", problems);
  add_folder(wanted, "nuscenes", "lidar/nuscenes", problems);
  for (const char* scene : {"00", "01", "02", "03", "04"}) {
    add_folder(wanted, "livox", (std::string("lidar/livox/") + scene).c_str(), problems);
  }
  add_folder(wanted, "raw", "kitti/raw/2011_09_26", problems);
  add_folder(wanted, "object", "kitti/object/training", problems);
  add_folder(wanted, "pcd", "lidar/pcd", problems);
  add_folder(wanted, "convoy", "lidar/convoy", problems);
  if (wanted.streets) add_streets(problems);
  std::map<std::string, std::vector<double>> errors;
  for (const Problem& problem : problems) {
    const Outcome o = solve(problem, wanted);
    const double tilt_deg = std::acos(o.plane.normal.z()) * 180 / M_PI;
    std::printf(
        "%-10s %-32s %8.1e moved %7.1e %4ld rounds %5.1f kB %6.2f ms  h %.3f +- %.3f  tilt %.2f "
        "[%.2f %.2f] %s%s\n",
        problem.set.c_str(), problem.name.c_str(), o.worst, o.moved, static_cast<long>(o.rounds),
        o.bytes / 1e3, o.best_ms, o.plane.offset_m,
        o.height_m ? (o.height_m->high - o.height_m->low) / 2 : -1, tilt_deg,
        o.tilt_deg ? o.tilt_deg->low : -1, o.tilt_deg ? o.tilt_deg->high : -1,
        o.lowered ? "lowered " : "", o.note.c_str());
    std::fflush(stdout);
    if (problem.truth) errors[problem.set].push_back(o.worst);
  }
  for (auto& [set, of] : errors) {
    std::sort(of.begin(), of.end());
    std::printf("%-10s %zu frames, median %.1e, worst %.1e\n", set.c_str(), of.size(),
                of[of.size() / 2], of.back());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Wanted wanted;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word == "--networks")
      wanted.networks = true;
    else if (word == "--shards")
      wanted.shards = true;
    else if (word == "--streets")
      wanted.streets = true;
    else if (word == "--seeds" && k + 1 < argc)
      wanted.seeds = std::stoull(argv[++k]);
    else
      wanted.data = word;
  }
  if (wanted.data.empty()) {
    std::fprintf(stderr,
                 "usage: plane_study DATA [--seeds N] [--networks] [--shards] [--streets]\n");
    return 1;
  }
  return study(wanted);
}
