#include "l3_solve.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "roadplane/objective/cloud_objective.hpp"
#include "roadplane/objective/l3_loss.hpp"

namespace roadplane {
namespace {

enum class Verdict { regular, exactly_planar, degenerate };

/// The worst that any agent sees: views agree to rounding only, and all agents must take the same
/// way from here. The largest shard's points travel along: they are what the moments took.
Verdict agree_on_verdict(Channel& channel, std::span<const Spectrum> views,
                         std::span<const HomogeneousCloud> clouds, Ledger& ledger) {
  Verdict worst = Verdict::regular;
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (channel.gone(static_cast<int>(i))) continue;
    const Spectrum& view = views[i];
    worst = std::max(worst, !view.degeneracy().empty() ? Verdict::degenerate
                            : view.exactly_planar()    ? Verdict::exactly_planar
                                                       : Verdict::regular);
  }
  std::array<double, 2> told{static_cast<double>(worst), 0};
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    if (channel.gone(static_cast<int>(i))) continue;
    told[1] = std::max(told[1], static_cast<double>(clouds[i].size()));
  }
  channel.flood_max(told);
  ledger.count_samples(static_cast<std::int64_t>(told[1]));  // the moments' pass
  return static_cast<Verdict>(told[0]);
}

}  // namespace

PlaneFit solve_l3(Channel& channel, std::span<const HomogeneousCloud> clouds,
                  const AnySolverOptions& solver, const L3Options& options, Ledger& ledger) {
  PlaneFit fit;

  // 1. Agree on the second moment C of the whole cloud, and on whether it holds a plane.
  const std::vector<Spectrum> views = agree_on_spectrum(channel, clouds, options.gossip_tolerance);
  const Verdict verdict = agree_on_verdict(channel, views, clouds, ledger);
  fit.start = ledger.traffic();
  fit.start_seconds = ledger.seconds();
  if (verdict == Verdict::degenerate) {
    fit.degeneracy = views.front().degeneracy();
    fit.solve.termination = Termination::degenerate_input;
    return fit;
  }
  if (verdict == Verdict::exactly_planar) {  // the least-squares plane holds every point
    for (const Spectrum& view : views) fit.w.push_back(view.smallest());
    fit.solve.x = fit.w;
    fit.solve.termination = Termination::converged;
    return fit;
  }

  // 2. Maximise over the sphere in whitened coordinates, from C^{1/2} v_min, which points along
  // v_min itself; and back: w = C^{-1/2} x.
  std::vector<std::unique_ptr<Objective<4, 1>>> objectives;
  std::vector<Eigen::Vector4d> start;
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    // Weighed by points, as the moment is: the mean over the agents is the mean over the points.
    const double points = views[i].points() / channel.network().agents();
    objectives.push_back(std::make_unique<CloudObjective<L3Loss, 1>>(
        clouds[i], views[i].whitening(), L3Loss{}, static_cast<double>(clouds[i].size()) / points));
    start.push_back(views[i].smallest());
  }
  std::visit(
      [&fit](const auto& chosen) {
        fit.step = chosen.step;
        fit.gossip_rounds = chosen.gossip.rounds;
      },
      solver);
  fit.solve = solve_with(solver, channel, objectives, start, ledger);
  if (fit.solve.termination == Termination::budget_too_small) return fit;
  for (TraceEntry& entry : fit.solve.trace) {
    if (entry.mean.size() > 0) {
      entry.mean = (views.front().whitening() * entry.mean).normalized().eval();
    }
  }
  for (std::size_t i = 0; i < views.size(); ++i) {
    fit.w.push_back((views[i].whitening() * fit.solve.x[i]).normalized());
  }
  return fit;
}

}  // namespace roadplane
