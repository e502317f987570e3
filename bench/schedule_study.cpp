// The experiment behind the defaults of RobustOptions: errors on all annotated and labelled frames
// found under ROADPLANE_DATA/kitti, and time, for one change of the schedule at a time.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "roadplane/dpcp/dpcp.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/geometry/shards.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/ground_truth.hpp"

namespace {

using namespace roadplane;

struct Problem {
  std::string name;
  Eigen::Vector4d truth;
  std::vector<std::vector<HomogeneousCloud>> clouds;  ///< by kind of shard
};

constexpr int kAgents = 16;
constexpr ShardKind kKinds[] = {ShardKind::azimuth, ShardKind::contiguous, ShardKind::interleaved};

std::vector<Problem> load(const std::filesystem::path& kitti_folder) {
  std::vector<Problem> problems;
  for (const char* part : {"dpcp_annotations", "odometry"}) {
    if (!std::filesystem::exists(kitti_folder / part)) continue;
    for (const kitti::Frame& frame : kitti::open_dataset(kitti_folder / part).frames) {
      const Scan scan = kitti::load_scan(frame);
      const auto truth = kitti::load_ground_truth(frame, scan);
      if (!truth) continue;
      Problem& problem = problems.emplace_back(Problem{frame.name(), truth->hyperplane, {}});
      for (const ShardKind kind : kKinds) {
        const Shards shards = make_shards(scan, kind, kAgents);
        auto& clouds = problem.clouds.emplace_back(kAgents);
        for (int i = 0; i < kAgents; ++i) clouds[i].assign(scan, shards[i]);
      }
    }
  }
  return problems;
}

/// Worst error of any agent over shards, networks and seeds, per frame; and the fastest solve.
void study(const std::string& what, const RobustOptions& robust, std::span<const Problem> problems,
           std::span<const Network> networks) {
  std::vector<double> errors;
  double seconds = 1;
  double kilobytes = 0;
  int halvings = 0;
  for (const Problem& problem : problems) {
    double worst = 0;
    for (const auto& clouds : problem.clouds) {
      for (const Network& network : networks) {
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
          VrsgtOptions solver;
          solver.seed = seed;
          LocalChannel channel(network);
          const auto start = std::chrono::steady_clock::now();
          const DpcpResult result = solve_dpcp(channel, clouds, {solver, robust});
          const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
          seconds = std::min(seconds, taken.count());
          halvings += result.solve.step_halvings;
          if (&network == networks.data()) {
            kilobytes = result.traffic.bytes_per_agent(network.graph) / 1000;
          }
          for (const auto& w : result.w) worst = std::max(worst, recovery_error(w, problem.truth));
        }
      }
    }
    errors.push_back(worst);
  }
  std::printf("%-28s", what.c_str());
  for (const double error : errors) std::printf(" %7.2f", 1e3 * error);
  std::nth_element(errors.begin(), errors.begin() + errors.size() / 2, errors.end());
  std::printf(" | %7.2f %7.3f %6.1f %4d\n", 1e3 * errors[errors.size() / 2], 1e3 * seconds,
              kilobytes, halvings);
}

}  // namespace

int main() {
  const char* root = std::getenv("ROADPLANE_DATA");
  if (root == nullptr) {
    std::fprintf(stderr, "set ROADPLANE_DATA to the folder that holds kitti/\n");
    return 1;
  }
  const std::vector<Problem> problems = load(std::filesystem::path(root) / "kitti");
  if (problems.empty()) {
    std::fprintf(stderr, "no annotated or labelled frame found\n");
    return 1;
  }
  std::vector<Network> networks;
  networks.emplace_back(Graph::erdos_renyi(kAgents, 0.5, 1));
  networks.emplace_back(Graph::ring(kAgents));
  networks.emplace_back(Graph::star(kAgents));

  std::printf(
      "Worst error x 1000 over 3 kinds of shards, 3 networks and 3 seeds; then the median\n"
      "over frames, ms of the fastest solve, kB per agent (Erdos-Renyi), halved steps.\n");
  for (const Problem& problem : problems) std::printf("  %s\n", problem.name.c_str());
  const auto with = [&](const std::string& what, const std::function<void(RobustOptions&)>& set) {
    RobustOptions robust;
    set(robust);
    study(what, robust, problems, networks);
  };
  with("default", [](auto&) {});
  with("Welsch", [](auto& o) { o.loss = RobustLoss("welsch"); });
  for (const double s : {0.003, 0.004, 0.0055, 0.007, 0.01}) {
    with("scale_rad " + std::to_string(s), [s](auto& o) { o.scale_rad = s; });
  }
  for (const double s : {0.02, 0.03, 0.1, 0.2}) {
    with("start_scale_rad " + std::to_string(s), [s](auto& o) { o.start_scale_rad = s; });
  }
  for (const int n : {1, 2, 3, 6, 8}) {
    with("sharpenings " + std::to_string(n), [n](auto& o) { o.sharpenings = n; });
  }
  for (const int n : {1, 2, 4, 6}) {
    with("final_stages " + std::to_string(n), [n](auto& o) { o.final_stages = n; });
  }
  for (const int n : {2, 3, 8, 15, 30}) {
    with("inner_iterations " + std::to_string(n), [n](auto& o) { o.inner_iterations = n; });
  }
  for (const double b : {1.0, 2.0, 5.0}) {
    with("beyond " + std::to_string(b), [b](auto& o) { o.beyond = b; });
  }
  for (const double b : {1.0, 1.1, 1.2}) {
    with("final_beyond " + std::to_string(b), [b](auto& o) { o.final_beyond = b; });
  }
  for (const int n : {1, 8, 32, 64}) {
    with("thinning " + std::to_string(n), [n](auto& o) { o.thinning = n; });
  }
  for (const double s : {0.2, 0.4, 0.6, 0.8, 1.0}) {
    with("step " + std::to_string(s), [s](auto& o) { o.step = s; });
  }
  for (const int n : {1, 2, 4}) {
    with("gossip_rounds " + std::to_string(n), [n](auto& o) { o.gossip_rounds = n; });
  }
  return 0;
}
