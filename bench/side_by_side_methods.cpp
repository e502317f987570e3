#include "side_by_side_methods.hpp"

#include <chrono>
#include <memory>

#include "roadplane/baseline/registry.hpp"
#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/ground/relief.hpp"

namespace side_by_side {
namespace {

using namespace roadplane;

/// What an observer would see of the end, from all agents at once, is not part of the solve.
AnySolverOptions unobserved(AnySolverOptions solver) {
  std::visit([](auto& o) { o.trace.end = false; }, solver);
  return solver;
}

/// d = 16 agents in this process. What an agent keeps from frame to frame (network, buffers) is
/// made once.
class Ours {
 public:
  explicit Ours(const AnySolverOptions& solver) { options_.solver = unobserved(solver); }

  Run solve_ours(const TruthFrame& frame) {
    // The annotations mean the dominant plane, the road class the lowest.
    options_.objective = RobustOptions{
        .sought = frame.source == "annotation" ? PlaneSought::dominant : PlaneSought::lowest};
    const PointSpan scan = frame.scan;
    const auto start = std::chrono::steady_clock::now();
    const std::size_t agents = shards_.size();
    const std::size_t enough = columns_enough(options_, kAgents);
    for (std::size_t i = 0; i < agents; ++i) {
      const std::size_t begin = scan.size() * i / agents;
      const std::size_t end = scan.size() * (i + 1) / agents;
      shards_[i].assign(scan.subspan(begin, end - begin), {enough, static_cast<std::uint32_t>(i)});
    }
    LocalChannel channel(network_);
    PlaneFit fit = find_plane(channel, shards_, options_);
    const std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - start;
    return {std::move(fit.w), elapsed.count()};
  }

 private:
  static constexpr int kAgents = 16;

  Network network_{Graph::erdos_renyi(kAgents, 0.5, 1)};
  std::vector<HomogeneousCloud> shards_{kAgents};
  PlaneOptions options_;
};

/// The program's way to the labels of ground: azimuth shards, the lowest plane, the relief.
class OurGround {
 public:
  Run solve(const TruthFrame& frame) {
    const auto start = std::chrono::steady_clock::now();
    const Shards shards = make_shards(frame.scan, ShardKind::azimuth, kAgents);
    assign_shards(frame.scan, shards, all_, clouds_, {columns_enough(options_, kAgents)});
    LocalChannel channel(network_);
    PlaneFit fit = find_plane(channel, clouds_, options_);
    const Ground ground = find_(channel, frame.scan, shards, fit.w);
    const std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - start;
    if (ground.labels.road.size() != frame.scan.size()) return {};
    return {std::move(fit.w), elapsed.count()};
  }

 private:
  static constexpr int kAgents = 16;

  Network network_{Graph::erdos_renyi(kAgents, 0.5, 1)};
  std::vector<int> all_{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  std::vector<HomogeneousCloud> clouds_{kAgents};
  GroundFinder find_;
  PlaneOptions options_{unobserved(VrsgtOptions{}), RobustOptions{.sought = PlaneSought::lowest}};
};

Run run_once(std::string_view name, PointSpan scan, const BaselineOptions& options) {
  const BaselineResult result = run_baseline(name, scan, options);
  Run run{{}, result.seconds * 1e3};
  if (result.found()) run.w.push_back(result.w);
  return run;
}

Method ours(const char* label, const AnySolverOptions& solver) {
  return {label, [state = std::make_shared<Ours>(solver)](const TruthFrame& frame, int) {
            return state->solve_ours(frame);
          }};
}

Method our_ground(const char* label) {
  return {label, [state = std::make_shared<OurGround>()](const TruthFrame& frame, int) {
            return state->solve(frame);
          }};
}

Method baseline(const char* label, const char* name) {
  return {label, [name](const TruthFrame& frame, int) { return run_once(name, frame.scan, {}); }};
}

Method ransac(const char* label, double threshold_m) {
  return {label, [threshold_m](const TruthFrame& frame, int repetition) {
            BaselineOptions options;
            options.ransac.threshold_m = threshold_m;
            options.ransac.seed = static_cast<std::uint32_t>(repetition + 1);
            return run_once("ransac", frame.scan, options);
          }};
}

}  // namespace

std::vector<Method> all_methods() {
  return {ours("roadplane", VrsgtOptions{}),
          our_ground("ground"),
          ours("gossip-irls", GossipIrlsOptions{}),
          ransac("ransac 0.05 m", 0.05),
          ransac(kYardstick, 0.15),
          ransac("ransac 0.30 m", 0.30),
          baseline("dpcp-irls", "irls"),
          baseline("dpcp-psgm", "psgm"),
          baseline("svd", "svd")};
}

}  // namespace side_by_side
