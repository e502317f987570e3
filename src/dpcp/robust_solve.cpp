#include "robust_solve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "coarse_floor.hpp"
#include "coordinates.hpp"
#include "inspection.hpp"
#include "own_frame.hpp"
#include "roadplane/base/recycled.hpp"
#include "roadplane/geometry/upwards.hpp"
#include "roadplane/network/gossip.hpp"
#include "roadplane/objective/robust_objective.hpp"
#include "tangent_frame.hpp"

namespace roadplane {
namespace {

// A step that suits the coordinates leaves ||x'x - 1|| below 0.05; one that does not need not
// explode, it may also go to and fro.
constexpr double kSafeRadius = 0.3;

/// One message is enough on all but sparse networks. There the slowest disagreement must shrink to
/// less than half, and by more than two messages: the second Chebyshev polynomial turns a quickly
/// mixed disagreement into its opposite, which gradient tracking does not take well.
GossipOptions choose_gossip(const Network& network, const RobustOptions& options) {
  constexpr int kBits = 8;  // of a number: bench/track_study
  constexpr double kSparse = 0.85;
  constexpr double kShrunk = 0.45;
  GossipOptions gossip{std::max(1, options.gossip_rounds), true, Wire::few(kBits)};
  if (options.gossip_rounds > 0 || network.round_factor <= kSparse) return gossip;
  for (gossip.rounds = 3; contraction(network, gossip) > kShrunk;) ++gossip.rounds;
  return gossip;
}

/// The mean of the agents' objectives has curvature 1 at most at the start, which alone would allow
/// a step near 1. Where the shards differ, an agent's own curvature is larger, and what gossip
/// leaves of the difference adds up.
///
/// Methods that mix before they step, x+ = W x - eta s and s+ = W s + g+ - g, bear less: on a bowl
/// of curvature 1 a disagreement that W multiplies by lambda shrinks while eta < (1 + lambda)^2 / 2
/// (Jury's criterion), which is a quarter at the lambda = -0.3 of a dense network. Of 0.05 to 0.5 a
/// step of 0.1 is quickest, on Erdos-Renyi networks and on a ring: `roadplane compare
/// kitti/odometry --frames 52,720,850 --objectives robust --solvers drgta,dprgt --step STEP`.
double choose_step(const Network& network, const GossipOptions& gossip, double largest_curvature,
                   bool mixes_first, const RobustOptions& options) {
  constexpr double kMixedFirst = 0.25;
  constexpr double kLongest = 0.5;  // the curvature may be twice as large elsewhere
  if (options.step > 0) return options.step;
  const double left = contraction(network, gossip);
  const double disagreeing = left * std::sqrt(std::max(1.0, largest_curvature));
  const double step = std::min(kLongest, 1 / (1 + disagreeing));
  return mixes_first ? kMixedFirst * step : step;
}

/// What comes after the last iteration, which budgets must leave: the last agreement and the
/// inspection.
Expense closing(const Channel& channel, const RobustOptions& options) {
  const Network& network = channel.network();
  const int rounds =
      gossip_rounds(network.round_factor, options.consensus_tolerance, network.steady());
  const Traffic agreement{rounds, rounds, rounds * wire_bytes(3, Wire::half, network)};
  return Expense{agreement, 0} + inspection_expense(channel);
}

/// The solver's options with what the objective needs in place of its own.
AnySolverOptions adapted(AnySolverOptions solver, const RobustOptions& options, double step,
                         const GossipOptions& gossip, double unit) {
  std::visit(
      [&](auto& o) {
        o.step = step;
        o.gossip = gossip;
        o.stop.residual_tolerance = options.rest * unit;
        o.stop.max_iterations =
            std::min<std::int64_t>(o.stop.max_iterations, options.max_iterations);
        o.stop.max_step_halvings = options.max_step_halvings;
        o.stop.safe_radius = std::min(o.stop.safe_radius, kSafeRadius);
        if constexpr (requires { o.inner_iterations; }) {
          o.inner_iterations = options.inner_iterations;
        }
      },
      solver);
  return solver;
}

/// Runs the solver; where it has not come to rest half-way, which a loss that bends more on the way
/// than at the start can cause, on from there with a shorter step, the same schedule and the same
/// random numbers. bench/algorithm_study tells what that buys.
SolveResult<4, 1> solve_in_halves(AnySolverOptions solver, std::int64_t half, Channel& channel,
                                  Objectives<4, 1> objectives,
                                  const std::vector<Eigen::Vector4d>& x,
                                  std::span<const Eigen::Vector4d> kept, Ledger& ledger) {
  constexpr double kShorter = 0.3;
  StopOptions& stop = std::visit([](auto& o) -> StopOptions& { return o.stop; }, solver);
  const std::int64_t most = stop.max_iterations;
  stop.max_iterations = std::min(half, most);
  SolveResult<4, 1> first = solve_with(solver, channel, objectives, x, ledger, kept);
  if (first.termination != Termination::iteration_limit || first.iterations >= most) return first;
  stop.max_iterations = most;
  if (const auto limit = ledger.limit_before(first.opening, stop)) {
    first.termination = *limit;
    return first;
  }
  std::visit(
      [&](auto& o) {
        o.first_iteration = first.iterations + 1;
        o.step *= kShorter;
      },
      solver);
  SolveResult<4, 1> all = solve_with(solver, channel, objectives, first.x, ledger);
  all.trace.insert(all.trace.begin(), first.trace.begin(), first.trace.end());
  all.step_halvings += first.step_halvings;
  all.observing_seconds += first.observing_seconds;
  return all;
}

/// The iterates agree up to what the last steps moved; a few more messages make them agree closely.
void agree_on_result(Channel& channel, const TangentFrame& frame, double tolerance,
                     std::vector<Eigen::Vector4d>& w) {
  RecycledVector<double> rows(w.size() * 3);
  for (std::size_t i = 0; i < w.size(); ++i) {
    const Eigen::Vector3d offset = frame.offset(w[i]);
    std::copy_n(offset.data(), 3, &rows[3 * i]);
  }
  gossip_average(channel, rows, 3, tolerance, {.chebyshev = true, .wire = Wire::half});
  for (std::size_t i = 0; i < w.size(); ++i) {
    w[i] = frame.hyperplane(Eigen::Map<const Eigen::Vector3d>(&rows[3 * i]));
  }
}

std::vector<HomogeneousCloud> moved_clouds(std::span<const HomogeneousCloud> clouds,
                                           const Eigen::Matrix<double, 3, 4>& motion) {
  std::vector<HomogeneousCloud> moved(clouds.size());
  for (std::size_t i = 0; i < clouds.size(); ++i) moved[i].assign_moved(clouds[i], motion);
  return moved;
}

/// Agreed on for the floor of the frame; solvers that need no round bowl take
/// plain ones.
AgreedCoordinates coordinates_for(Channel& channel, std::span<const HomogeneousCloud> moved,
                                  const AnySolverOptions& solver, const RobustOptions& options,
                                  const RoadStart& start, Ledger& ledger) {
  if (start.coordinates) return *start.coordinates;
  const Window window = options.window();
  if (std::visit([](const auto& o) { return o.kScaleIsNothing; }, solver)) {
    return plain_coordinates(OwnFrame::floor(), window);
  }
  return agree_on_coordinates(channel, moved, OwnFrame::floor(), window,
                              start.search.largest.points, ledger);
}

/// Why there is no start: the spectrum knows it, or all agents have too few points to draw planes
/// from.
PlaneFit nothing_found(Channel& channel, std::span<const HomogeneousCloud> clouds) {
  PlaneFit fit;
  const auto views = agree_on_spectrum(channel, clouds, 1e-4);
  fit.degeneracy = views.front().degeneracy();
  if (fit.degeneracy.empty())
    fit.degeneracy = "no agent with three points that a floor could lie on";
  fit.solve.termination = Termination::degenerate_input;
  return fit;
}

}  // namespace

std::vector<Eigen::Vector4d> descend(Channel& channel, std::span<const HomogeneousCloud> moved,
                                     const AgreedCoordinates& agreed,
                                     const AnySolverOptions& solver, const RobustOptions& options,
                                     const RoadStart& start, Ledger& ledger, PlaneFit& fit) {
  const Coordinates& coordinates = agreed.coordinates;
  const GossipOptions gossip = choose_gossip(channel.network(), options);
  fit.gossip_rounds = gossip.rounds;
  const bool mixes_first = std::visit([](const auto& o) { return o.kMixesFirst; }, solver);
  fit.step = choose_step(channel.network(), gossip, agreed.largest_curvature, mixes_first, options);
  std::vector<std::unique_ptr<Objective<4, 1>>> objectives;
  for (const HomogeneousCloud& cloud : moved) {
    objectives.push_back(std::make_unique<RobustObjective>(
        cloud, coordinates.whiten, options.window(),
        RobustObjective::Scale{.points = start.search.largest.points, .gain = coordinates.gain}));
  }
  fit.start = ledger.traffic();
  fit.start_seconds = ledger.seconds();
  const std::vector<Eigen::Vector4d> x(moved.size(), coordinates.to_whitened(coordinates.start));
  std::vector<Eigen::Vector4d> kept;
  for (const Eigen::Vector4d& each : start.kept) kept.push_back(coordinates.from_common(each));
  ledger.set_aside(closing(channel, options));
  fit.solve = solve_in_halves(adapted(solver, options, fit.step, gossip, coordinates.unit),
                              std::max(1, options.max_iterations / 2), channel, objectives, x, kept,
                              ledger);
  ledger.set_aside({});
  std::vector<Eigen::Vector4d> w;
  if (fit.solve.termination == Termination::budget_too_small) return w;
  for (const Eigen::Vector4d& end : fit.solve.x) w.push_back(coordinates.from_whitened(end));
  agree_on_result(channel, TangentFrame(coordinates.start), options.consensus_tolerance, w);
  return w;
}

PlaneFit solve_robust(Channel& channel, std::span<const HomogeneousCloud> clouds,
                      const AnySolverOptions& solver, const RobustOptions& options,
                      Ledger& ledger) {
  // 1. One coarse start, the same for everybody.
  RoadStart start = find_start(channel, clouds, solver, options, ledger);
  return solve_from(start, channel, clouds, solver, options, ledger);
}

RoadStart find_start(Channel& channel, std::span<const HomogeneousCloud> clouds,
                     const AnySolverOptions& solver, const RobustOptions& options, Ledger& ledger) {
  const auto seed = std::visit([](const auto& o) { return o.seed; }, solver);
  return {find_coarse_floor(channel, clouds, options, seed, ledger)};
}

PlaneFit solve_from(RoadStart& start, Channel& channel, std::span<const HomogeneousCloud> clouds,
                    const AnySolverOptions& solver, const RobustOptions& options, Ledger& ledger) {
  if (!start.search.floor) return nothing_found(channel, clouds);

  // 2. A frame of its own, so that the file's does not matter.
  PlaneFit fit;
  const OwnFrame own(start.search.floor->plane);
  fit.coarse = own.in_file(OwnFrame::floor());
  const std::vector<HomogeneousCloud> moved = moved_clouds(clouds, own.motion());

  // 3. To the minimum, in coordinates in which it is a round bowl.
  start.coordinates = coordinates_for(channel, moved, solver, options, start, ledger);
  const std::vector<Eigen::Vector4d> w =
      descend(channel, moved, *start.coordinates, solver, options, start, ledger, fit);
  for (TraceEntry& entry : fit.solve.trace) {
    if (entry.mean.size() > 0) entry.mean = own.in_file(entry.mean.normalized());
  }
  if (w.empty()) return fit;  // the budget was too small

  // 4. What there is to say of it.
  fit.finding = inspect_plane(channel, moved, w, options, start.search, own, ledger);
  for (const Eigen::Vector4d& plane : w) fit.w.push_back(own.in_file(plane));
  return fit;
}

PlaneFit finished(PlaneFit fit, const Ledger& ledger) {
  for (Eigen::Vector4d& w : fit.w) w = upwards(w);
  if (fit.solve.termination == Termination::budget_too_small) {  // known before anything is sent
    PlaneFit nothing;
    nothing.solve.termination = fit.solve.termination;
    nothing.solve.needs = fit.solve.needs;
    nothing.step = fit.step;
    return nothing;
  }
  fit.traffic = ledger.traffic();
  fit.samples = ledger.samples();
  fit.solving_seconds = ledger.seconds() - fit.start_seconds;
  return fit;
}

}  // namespace roadplane
