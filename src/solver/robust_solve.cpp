#include "robust_solve.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <memory>
#include <type_traits>

#include "road_start.hpp"
#include "roadplane/network/gossip.hpp"
#include "roadplane/objective/robust_objective.hpp"

namespace roadplane {
namespace {

/// The largest curvature of any agent's own objective. The mean's is at most 1, because the weights
/// are at most 1 and the whitened second moment is the identity; a shard's can be larger.
double largest_curvature(Channel& channel, std::span<const HomogeneousCloud> shards,
                         std::span<const Spectrum> views, std::span<const double> shares) {
  double largest = 0;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const Eigen::Matrix4d map = views[i].whitening();
    const Eigen::Matrix4d own = shares[i] * map * shards[i].second_moment() * map;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(own, Eigen::EigenvaluesOnly);
    largest = std::max(largest, eigen.eigenvalues()(3));
  }
  return channel.flood_max(largest);
}

GossipOptions choose_gossip(const Network& network, double curvature, int wish) {
  GossipOptions gossip{std::max(1, wish), true};
  if (wish > 0 || network.agents() == 1) return gossip;
  static_cast<void>(curvature);
  while (contraction(network.slem, gossip) > 0.6) ++gossip.rounds;
  return gossip;
}

/// The solver's options with the schedule's step, gossip and iterations in place of its own.
AnySolverOptions scheduled(AnySolverOptions solver, const RobustOptions& robust, double step,
                           const GossipOptions& gossip) {
  std::visit(
      [&]<class Options>(Options& o) {
        o.step = step;
        o.gossip = gossip;
        const std::int64_t total =
            std::int64_t{robust.outer_iterations()} * (1 + robust.inner_iterations);
        o.stop.max_iterations = std::min(o.stop.max_iterations, total);
        o.stop.max_step_halvings = robust.max_step_halvings;
        if constexpr (std::is_same_v<Options, VrsgtOptions>) {
          o.inner_iterations = robust.inner_iterations;
        }
      },
      solver);
  return solver;
}

/// The iterates agree up to what the last steps moved; a few more messages make them agree closely.
void agree_on_result(Channel& channel, double tolerance, std::vector<Eigen::Vector4d>& x) {
  std::vector<double> rows(x.size() * 4);
  for (std::size_t i = 0; i < x.size(); ++i) std::copy_n(x[i].data(), 4, &rows[4 * i]);
  gossip_average(channel, rows, 4, tolerance);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = Eigen::Map<const Eigen::Vector4d>(&rows[4 * i]).normalized();
  }
}

}  // namespace

void solve_robust(Channel& channel, std::span<const HomogeneousCloud> shards,
                  std::span<const Spectrum> views, const AnySolverOptions& solver,
                  const RobustOptions& robust, DpcpResult& result) {
  // Every agent's points over the mean number of points, which it knows from the whitening.
  std::vector<double> shares;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    shares.push_back(static_cast<double>(shards[i].size()) * channel.network().agents() /
                     views[i].points());
  }
  const double curvature = largest_curvature(channel, shards, views, shares);
  const GossipOptions gossip = choose_gossip(channel.network(), curvature, robust.gossip_rounds);
  result.gossip_rounds = gossip.rounds;
  result.step = robust.step > 0 ? robust.step : 0.7;

  const RoadStart start = choose_start(channel, shards, views, robust.prior);
  result.road.prior_applied = start.prior_applied;
  Graduation graduation = robust.graduation();
  if (!std::holds_alternative<VrsgtOptions>(solver)) {
    graduation.iterations = 1 + robust.inner_iterations;  // every iteration is an outer one
  }
  std::vector<std::unique_ptr<Objective<4, 1>>> objectives;
  std::vector<Eigen::Vector4d> x_init;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    objectives.push_back(
        std::make_unique<RobustObjective>(shards[i], views[i].whitening(), graduation, shares[i]));
    x_init.push_back((views[i].colouring() * start.w[i]).normalized());
  }
  result.solve =
      solve_with(scheduled(solver, robust, result.step, gossip), channel, objectives, x_init);
  agree_on_result(channel, robust.consensus_tolerance, result.solve.x);
}

void judge(Channel& channel, std::span<const HomogeneousCloud> shards, const RobustOptions& robust,
           DpcpResult& result) {
  const Eigen::Vector4d& w = result.w.front();
  result.road.mounting = mounting_of(w, robust.prior);
  int axis = 0;
  w.head<3>().cwiseAbs().maxCoeff(&axis);
  result.road.up_axis = "xyz"[axis];
  find_second_plane(channel, shards, result.w, result.road);
}

}  // namespace roadplane
