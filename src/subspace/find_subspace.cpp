#include "roadplane/subspace/find_subspace.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "graduated.hpp"
#include "roadplane/base/named_values.hpp"
#include "starting_point.hpp"

namespace roadplane {
namespace {

using Eigen::MatrixXd;

constexpr NamedValues<SubspaceObjective, 3> kNames{{
    {SubspaceObjective::pca, "pca"},
    {SubspaceObjective::l3, "l3"},
    {SubspaceObjective::robust, "robust"},
}};

/// The largest eigenvalue of D diag(w) D' by power iteration, a little from below.
double largest_eigenvalue(const MatrixXd& columns, const Eigen::VectorXd& weights) {
  if (columns.cols() == 0) return 0;
  Eigen::Index longest = 0;
  columns.colwise().squaredNorm().maxCoeff(&longest);
  Eigen::VectorXd v = columns.col(longest);
  double length = v.norm();
  if (!std::isfinite(length)) return length;  // squares that overflow
  constexpr int kMostSteps = 100;
  for (int k = 0; k < kMostSteps && length > 0; ++k) {
    const double before = length;
    v /= length;
    v = columns * (weights.asDiagonal() * (columns.transpose() * v));
    length = v.norm();
    if (k > 0 && length < 1.001 * before) break;
  }
  return length;
}

/// The largest curvature of any agent's objective at the start. The losses of `robust` bend by 1 at
/// most, that of l3 by 2 |y|.
double agree_on_curvature(Channel& channel, const SharedPoints& points, const MatrixXd& x,
                          SubspaceObjective objective) {
  const double points_each = static_cast<double>(points.points) / channel.network().agents();
  double largest = 0;
  for (std::size_t i = 0; i < points.shards.size(); ++i) {
    if (channel.gone(static_cast<int>(i))) continue;
    const MatrixXd& shard = points.shards[i];
    Eigen::VectorXd bend = Eigen::VectorXd::Ones(shard.cols());
    if (objective == SubspaceObjective::l3 && shard.cols() > 0) {
      bend = 2 * (x.transpose() * shard).cwiseAbs().colwise().maxCoeff();
    }
    const double own = largest_eigenvalue(shard, bend) / points_each;
    largest = std::isfinite(own) ? std::max(largest, own) : std::numeric_limits<double>::infinity();
  }
  return channel.flood_max(largest);
}

/// Relative to the curvature. With `roadplane solve --p 3` on 3001 points of 12 coordinates, 16
/// agents, VRSGT diverges at 0.8 on every network, at 0.4 on a star; on a ring and a star 0.1 is
/// quicker than 0.2. DRSGD, which does not track the mean gradient, stirs the more and stops the
/// farther off the longer the step.
template <class Options>
double automatic_step() {
  return std::is_same_v<Options, DrsgdOptions> ? 0.02 : 0.1;
}

/// The solver's options for the problem divided by its curvature: steps and tolerances without
/// units.
AnySolverOptions without_units(const SubspaceOptions& options, double curvature) {
  constexpr int kMostHalvings = 12;
  AnySolverOptions solver = options.solver;
  std::visit(
      [&]<class Options>(Options& o) {
        o.step = options.step > 0 ? options.step * curvature : automatic_step<Options>();
        if constexpr (requires { o.penalty; }) {
          o.penalty = options.penalty > 0 ? options.penalty / curvature : 1;
        }
        o.stop.residual_tolerance = options.tolerance;
        o.stop.max_step_halvings = options.step > 0 ? 0 : kMostHalvings;
      },
      solver);
  return solver;
}

/// Back to the problem's own units and coordinates.
void restore_units(SubspaceFit& fit, const StartingPoint& start) {
  for (TraceEntry& entry : fit.solve.trace) {
    entry.gap.gradient *= fit.curvature * fit.curvature;
    entry.objective *= fit.curvature;
    if (entry.mean.size() == 0) continue;
    entry.mean = orthonormal(start.whiten.empty() ? entry.mean : start.whiten.front() * entry.mean);
  }
  for (std::size_t i = 0; i < fit.solve.x.size(); ++i) {
    const MatrixXd& x = fit.solve.x[i];
    fit.x.push_back(orthonormal(start.whiten.empty() ? x : start.whiten[i] * x));
  }
}

}  // namespace

std::string_view to_string(SubspaceObjective objective) { return name_of(kNames, objective); }

SubspaceObjective subspace_objective_from_string(std::string_view name) {
  if (name == "dpcp") {
    throw FieldError("objective", "pca, l3 or robust", "\"dpcp\", which is called l3 here");
  }
  return value_of(kNames, name, "objective");
}

void SubspaceOptions::validate(int n) const {
  // All of R^n is an answer to l3 alone, where the single columns count.
  const int most = objective == SubspaceObjective::l3 ? n : n - 1;
  require_range("p", p, 1, most);
  if (whiten && objective == SubspaceObjective::pca) {
    throw FieldError("whiten", "no for pca: whitened points spread alike in all directions", "yes");
  }
  if (spectral && objective == SubspaceObjective::pca) {
    throw FieldError("start", "random or a file for pca: its answer is the spectrum", "spectral");
  }
  if (objective == SubspaceObjective::robust) {
    require(scale > 0 && std::isfinite(scale), "scale",
            "for robust, a distance above 0 in the units of the points", scale);
  }
  if (start && (start->rows() != n || start->cols() != p)) {
    throw FieldError("start", "a matrix of " + std::to_string(n) + " x " + std::to_string(p),
                     std::to_string(start->rows()) + " x " + std::to_string(start->cols()));
  }
  require(step >= 0 && std::isfinite(step), "step", "0 (automatic) or above", step);
  require(penalty >= 0 && std::isfinite(penalty), "penalty", "0 (automatic) or above", penalty);
}

SubspaceFit find_subspace(Channel& channel, const SharedPoints& points,
                          const SubspaceOptions& options, Ledger& ledger) {
  options.validate(points.n());
  SubspaceFit fit;

  // 1. Where to start, and in which coordinates.
  const StartingPoint start = agree_on_start(channel, points, options, ledger);
  if (start.solved) {
    fit.x.assign(points.shards.size(), start.x);
    fit.solve.x = fit.x;
    fit.solve.termination = Termination::converged;
    fit.solve.traffic = ledger.traffic();
    fit.solve.samples = ledger.samples();
    fit.solve.seconds = ledger.seconds();
    return fit;
  }
  SharedPoints seen = points;
  for (std::size_t i = 0; i < start.whiten.size(); ++i) {
    seen.shards[i] = start.whiten[i] * points.shards[i];
  }

  // 2. The problem without its units.
  fit.curvature = agree_on_curvature(channel, seen, start.x, options.objective);
  ledger.count_samples(seen.largest_shard(channel.network().agents()));
  if (!(fit.curvature > 0 && std::isfinite(fit.curvature))) {
    throw InputError("points", "numbers that are not all 0, with squares that can be added",
                     "a curvature of " + in_digits(fit.curvature));
  }
  const AnySolverOptions solver = without_units(options, fit.curvature);
  fit.step = std::visit([](const auto& o) { return o.step; }, solver) / fit.curvature;

  // 3. Solve, and back.
  const std::vector<MatrixXd> x(seen.shards.size(), start.x);
  fit.solve = solve_graduated(channel, seen, options, solver, fit.curvature, x, ledger);
  restore_units(fit, start);
  return fit;
}

}  // namespace roadplane
