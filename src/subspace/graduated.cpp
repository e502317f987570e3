#include "graduated.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "roadplane/objective/dense_objective.hpp"
#include "roadplane/objective/l3_loss.hpp"
#include "roadplane/objective/norm_objective.hpp"
#include "roadplane/objective/pca_objective.hpp"
#include "roadplane/objective/scaled_loss.hpp"
#include "roadplane/objective/weighted_objective.hpp"

namespace roadplane {
namespace {

using Eigen::MatrixXd;
using AnyObjective = Objective<Eigen::Dynamic, Eigen::Dynamic>;
using Result = SolveResult<Eigen::Dynamic, Eigen::Dynamic>;

std::unique_ptr<AnyObjective> make_objective(const MatrixXd& shard, const SubspaceOptions& options,
                                             double scale) {
  switch (options.objective) {
    case SubspaceObjective::pca:
      return std::make_unique<PcaObjective>(shard);
    case SubspaceObjective::l3:
      return std::make_unique<DenseObjective<L3Loss>>(shard);
    case SubspaceObjective::robust:
      break;
  }
  return std::make_unique<NormObjective<ScaledLoss>>(shard, ScaledLoss{options.loss, scale});
}

Result solve_at(double scale, Channel& channel, const SharedPoints& points,
                const SubspaceOptions& options, const AnySolverOptions& solver, double curvature,
                const std::vector<MatrixXd>& x, Ledger& ledger) {
  std::vector<std::unique_ptr<AnyObjective>> objectives;
  for (std::size_t i = 0; i < points.shards.size(); ++i) {
    objectives.push_back(std::make_unique<WeightedObjective<Eigen::Dynamic, Eigen::Dynamic>>(
        make_objective(points.shards[i], options, scale),
        points.weight(i, channel.network().agents()) / curvature));
  }
  return solve_with(solver, channel, objectives, x, ledger);
}

/// The farthest that any point is from the subspace that the start is normal to.
double agree_on_farthest(Channel& channel, const SharedPoints& points,
                         const std::vector<MatrixXd>& x) {
  double farthest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (points.shards[i].cols() == 0 || channel.gone(static_cast<int>(i))) continue;
    farthest =
        std::max(farthest, (x[i].transpose() * points.shards[i]).colwise().norm().maxCoeff());
  }
  return channel.flood_max(farthest);
}

Result joined(Result first, Result second) {
  for (TraceEntry& entry : second.trace) entry.iteration += first.iterations;
  second.trace.insert(second.trace.begin(), std::make_move_iterator(first.trace.begin()),
                      std::make_move_iterator(first.trace.end()));
  second.iterations += first.iterations;
  second.step_halvings += first.step_halvings;
  second.observing_seconds += first.observing_seconds;
  return second;
}

}  // namespace

Result solve_graduated(Channel& channel, const SharedPoints& points, const SubspaceOptions& options,
                       const AnySolverOptions& solver, double curvature, std::vector<MatrixXd> x,
                       Ledger& ledger) {
  if (options.objective != SubspaceObjective::robust) {
    return solve_at(1, channel, points, options, solver, curvature, x, ledger);
  }
  constexpr std::int64_t kLeg = 200;  // iterations at a scale that is not the last
  constexpr double kRest = 1e-3;      // residual that is small enough there
  const double wanted = options.scale * options.loss.width();
  double scale = std::max(wanted, agree_on_farthest(channel, points, x) * options.loss.width());
  Result all;
  all.x = std::move(x);
  for (;;) {
    const bool last = scale <= wanted;
    AnySolverOptions leg = solver;
    std::visit(
        [&](auto& o) {
          o.stop.max_iterations -= all.iterations;
          if (last) return;
          o.stop.max_iterations = std::min(o.stop.max_iterations, kLeg);
          o.stop.residual_tolerance = std::max(o.stop.residual_tolerance, kRest);
        },
        leg);
    Result next = solve_at(scale, channel, points, options, leg, curvature, all.x, ledger);
    all = joined(std::move(all), std::move(next));
    const auto most = std::visit([](const auto& o) { return o.stop.max_iterations; }, solver);
    const bool goes_on = all.termination == Termination::converged ||
                         (all.termination == Termination::iteration_limit && all.iterations < most);
    if (last || !goes_on) {
      // A scale that is not the wanted one is no solution, however much at rest.
      return all;
    }
    const StopOptions& stop = std::visit(
        [](const auto& o) -> auto& { return o.stop; }, solver);
    if (const auto limit = ledger.limit_before(all.opening, stop)) {  // no budget for another leg
      all.termination = *limit;
      return all;
    }
    scale = std::max(wanted, scale / 2);
  }
}

}  // namespace roadplane
