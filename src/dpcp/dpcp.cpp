#include "roadplane/dpcp/dpcp.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

#include "roadplane/geometry/upwards.hpp"
#include "roadplane/objective/cloud_objective.hpp"
#include "roadplane/objective/l3_loss.hpp"
#include "robust_solve.hpp"

namespace roadplane {

namespace {

enum class Verdict { regular, exactly_planar, degenerate };

/// The worst that any agent sees: views agree to rounding only, and all agents must take the same
/// way from here.
Verdict agree_on_verdict(Channel& channel, std::span<const Spectrum> views) {
  Verdict worst = Verdict::regular;
  for (const Spectrum& view : views) {
    worst = std::max(worst, !view.degeneracy().empty() ? Verdict::degenerate
                            : view.exactly_planar()    ? Verdict::exactly_planar
                                                       : Verdict::regular);
  }
  return static_cast<Verdict>(channel.flood_max(static_cast<double>(worst)));
}

/// The solver with its limits less what has been spent before it begins.
AnySolverOptions with_rest(AnySolverOptions solver, const Traffic& spent, double seconds) {
  std::visit(
      [&](SolverOptions& o) {
        std::int64_t& rounds = o.stop.max_rounds;  // 0 is no limit
        if (rounds > 0) rounds = std::max<std::int64_t>(1, rounds - spent.rounds);
        double& limit = o.stop.max_seconds;
        if (limit > 0) limit = std::max(1e-9, limit - seconds);
      },
      solver);
  return solver;
}

/// What lies outside the iterations, on the trace: everybody begins with it.
void count_overhead(DpcpResult& result) {
  const Traffic overhead = result.traffic - result.solve.traffic;
  const double seconds = result.whitening_seconds + result.solving_seconds - result.solve.seconds;
  for (TraceEntry& entry : result.solve.trace) {
    entry.traffic = entry.traffic + overhead;
    entry.seconds += seconds;
  }
}

/// Maximises the whitened l3 objective from C^{1/2} v_min, which points along v_min itself.
void solve_l3(Channel& channel, std::span<const HomogeneousCloud> shards,
              std::span<const Spectrum> views, const AnySolverOptions& chosen, DpcpResult& result) {
  std::vector<std::unique_ptr<Objective<4, 1>>> objectives;
  std::vector<Eigen::Vector4d> start;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    objectives.push_back(
        std::make_unique<CloudObjective<L3Loss, 1>>(shards[i], views[i].whitening()));
    start.push_back(views[i].smallest());
  }
  std::visit(
      [&result](const auto& solver) {
        result.step = solver.step;
        result.gossip_rounds = solver.gossip.rounds;
      },
      chosen);
  result.solve = solve_with(chosen, channel, objectives, start);
  for (TraceEntry& entry : result.solve.trace) {
    if (entry.mean.size() > 0) {
      entry.mean = (views.front().whitening() * entry.mean).normalized().eval();
    }
  }
  for (std::size_t i = 0; i < views.size(); ++i) {
    result.w.push_back((views[i].whitening() * result.solve.x[i]).normalized());
  }
}

}  // namespace

void DpcpOptions::validate() const {
  if (const auto* robust = std::get_if<RobustOptions>(&objective)) robust->validate();
}

DpcpResult solve_dpcp(Channel& channel, std::span<const HomogeneousCloud> shards,
                      const DpcpOptions& options) {
  options.validate();
  DpcpResult result;
  const auto* robust = std::get_if<RobustOptions>(&options.objective);
  const auto begin = std::chrono::steady_clock::now();
  const Traffic before = channel.traffic();

  // 1. Agree on the second moment C of the whole cloud, and on whether it holds a plane.
  const double tolerance = options.gossip_tolerance > 0 ? options.gossip_tolerance
                           : robust != nullptr          ? 1e-4
                                                        : 1e-14;
  const std::vector<Spectrum> views = agree_on_spectrum(channel, shards, tolerance);
  const Verdict verdict = agree_on_verdict(channel, views);
  result.whitening = channel.traffic() - before;
  const auto elapsed = [begin] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  result.whitening_seconds = elapsed();
  result.traffic = result.whitening;
  if (verdict == Verdict::degenerate) {
    result.degeneracy = views.front().degeneracy();
    result.solve.termination = Termination::degenerate_input;
    return result;
  }
  if (verdict == Verdict::exactly_planar) {  // the least-squares plane holds every point
    for (const Spectrum& view : views) result.w.push_back(view.smallest());
    result.solve.x = result.w;
    result.solve.termination = Termination::converged;
    return result;
  }

  // 2. Minimise over the sphere in whitened coordinates, and back: w = C^{-1/2} x.
  const AnySolverOptions solver =
      with_rest(options.solver, result.whitening, result.whitening_seconds);
  if (robust != nullptr) {
    solve_robust(channel, shards, views, solver, *robust, result);
  } else {
    solve_l3(channel, shards, views, solver, result);
  }
  for (Eigen::Vector4d& w : result.w) w = upwards(w);
  result.traffic = channel.traffic() - before;
  result.solving_seconds = elapsed() - result.whitening_seconds - result.solve.observing_seconds;
  count_overhead(result);
  return result;
}

}  // namespace roadplane
