#include "robust_solve.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <memory>
#include <type_traits>

#include "road_judgement.hpp"
#include "road_start.hpp"
#include "roadplane/network/gossip.hpp"
#include "roadplane/objective/robust_objective.hpp"

namespace roadplane {
namespace {

/// The whitened coordinates of one agent: d = whiten b, x = colour w.
struct Coordinates {
  Eigen::Matrix4d whiten;
  Eigen::Matrix4d colour;

  Eigen::Vector4d to_whitened(const Eigen::Vector4d& w) const { return (colour * w).normalized(); }
  Eigen::Vector4d from_whitened(const Eigen::Vector4d& x) const {
    return (whiten * x).normalized();
  }
};

// A step that suits whitened data leaves ||x'x - 1|| below 0.05; one that does not need not
// explode, it may also go to and fro.
constexpr double kSafeRadius = 0.3;

// To which agents agree on coordinates: a mismatch moves the result by less than that.
constexpr double kWhiteningTolerance = 1e-4;

// Rounding to single precision is far below what the agents agree to.
constexpr GossipOptions kOnTheWire{.chebyshev = true, .single = true};

void pack_lower(const Eigen::Matrix4d& m, double* row) {
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c <= r; ++c) *row++ = m(r, c);
  }
}

Eigen::Matrix4d unpack_lower(const double* row) {
  Eigen::Matrix4d m;
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c <= r; ++c) m(r, c) = m(c, r) = *row++;
  }
  return m;
}

/// Of a positive semidefinite matrix, from above and at most 19 % too large: (tr A^8)^(1/8).
double largest_eigenvalue(const Eigen::Matrix4d& a) {
  const Eigen::Matrix4d squared = a * a;
  return std::pow((squared * squared).squaredNorm(), 1.0 / 8);
}

/// One solve in several phases: between them the whitening is renewed.
class RobustSolve {
 public:
  RobustSolve(Channel& channel, std::span<const HomogeneousCloud> shards,
              std::span<const Spectrum> views, const AnySolverOptions& solver,
              const RobustOptions& robust, DpcpResult& result)
      : channel_(channel),
        shards_(shards),
        views_(views),
        solver_(solver),
        robust_(robust),
        result_(result),
        coordinates_(shards.size()) {
    for (std::size_t i = 0; i < shards.size(); ++i) {
      // An agent knows the mean number of points from the whitening.
      shares_.push_back(static_cast<double>(shards[i].size()) * channel.network().agents() /
                        views[i].points());
    }
  }

  void operator()() {
    const RoadStart start = choose_start(channel_, shards_, views_, robust_.prior);
    result_.road.prior_applied = start.prior_applied;
    result_.w = start.w;
    result_.gossip_rounds = choose_gossip().rounds;

    run_phase(robust_.graduation(), robust_.sharpenings);
    settle(3);
    RoadJudgement judgement = judge();
    if (judgement.stands_above_points && completed()) look_lower(judgement);
    result_.road.second_plane_m = judgement.second_plane_m;
    result_.road.second_plane_support = judgement.second_plane_support;
  }

 private:
  /// One message is enough on all but sparse networks. There the slowest disagreement must shrink
  /// to less than half, and by more than two messages: the second Chebyshev polynomial turns a
  /// quickly mixed disagreement into its opposite, which gradient tracking does not take well.
  GossipOptions choose_gossip() const {
    constexpr double kSparse = 0.85;
    constexpr double kShrunk = 0.45;
    const Network& network = channel_.network();
    GossipOptions gossip{std::max(1, robust_.gossip_rounds), true};
    if (robust_.gossip_rounds > 0 || network.round_factor <= kSparse) return gossip;
    for (gossip.rounds = 3; contraction(network, gossip) > kShrunk;) ++gossip.rounds;
    return gossip;
  }

  /// The mean of the agents' objectives has curvature 1 at most, which alone would allow a step
  /// near 1. Where the shards differ, an agent's own curvature is larger, and what gossip leaves of
  /// the difference adds up.
  double choose_step(double largest_curvature) const {
    if (robust_.step > 0) return robust_.step;
    const double left = contraction(channel_.network(), {result_.gossip_rounds, true});
    return 1 / (1 + left * std::sqrt(std::max(1.0, largest_curvature)));
  }

  std::uint32_t agent(std::size_t i) const {
    return static_cast<std::uint32_t>(channel_.hosted()[i]);
  }
  bool completed() const { return result_.solve.termination == Termination::completed; }

  RoadJudgement judge() const {
    return judge_road(channel_, shards_, result_.w, robust_.scale_rad);
  }

  /// The stages at the final scale, again in renewed coordinates where the plane is still on its
  /// way (but not more than `most` times), and a last agreement.
  void settle(int most) {
    constexpr double kAtRest = 0.005;  // of the residual that all agents know; 0.2 is on its way
    Graduation graduation = robust_.graduation();
    graduation.first_stage = robust_.sharpenings;
    for (int k = 0; k < most && (k == 0 || result_.solve.residual > kAtRest); ++k) {
      run_phase(graduation, robust_.final_stages);
    }
    agree_on_result();
  }

  /// Beyond a road there is nothing. Where points are, the plane may lie between the road and what
  /// is raised beside it: a loss that forgives little beyond the plane, and ever less on the
  /// sensor's side, leads down to the lowest plane that holds points. What settles from there is
  /// taken if it explains the points beyond and is not just a ditch.
  void look_lower(RoadJudgement& judgement) {
    constexpr int kSteps = 7;
    constexpr double kTolerance = 0.03;  // the steps need not be exact
    const std::vector<Eigen::Vector4d> upper = result_.w;
    const double residual = result_.solve.residual;
    const auto looked_at = static_cast<std::ptrdiff_t>(result_.solve.trace.size());
    Graduation graduation = robust_.graduation();
    graduation.first_rad = 0.6 * robust_.scale_rad;
    graduation.last_rad = 0.3 * robust_.scale_rad;
    graduation.sharpenings = kSteps;
    graduation.beyond = 20;
    graduation.thinning = 4;
    for (graduation.first_stage = 0; graduation.first_stage < kSteps; ++graduation.first_stage) {
      reweigh(graduation, kTolerance);
    }
    const std::vector<Eigen::Vector4d> lowest = result_.w;
    settle(1);  // a plane that is not at rest by then has no minimum of its own
    const RoadJudgement found = judge();
    if (completed() && agree_on_lower(channel_, {upper, judgement}, lowest, {result_.w, found})) {
      judgement = found;
      result_.road.lowered = true;
      return;
    }
    result_.w = upper;
    result_.solve.termination = Termination::completed;
    result_.solve.residual = residual;
    result_.solve.trace.erase(result_.solve.trace.begin() + looked_at, result_.solve.trace.end());
    for (std::size_t i = 0; i < upper.size(); ++i) {
      result_.solve.x[i] = coordinates_[i].to_whitened(upper[i]);
    }
  }

  /// So many stages from the hyperplanes result_.w.
  void run_phase(Graduation graduation, int stages) {
    if (stages == 0 || (result_.solve.iterations > 0 && !completed())) return;
    if (!std::holds_alternative<VrsgtOptions>(solver_)) {
      graduation.iterations = 1 + robust_.inner_iterations;  // every iteration is an outer one
    }
    whiten(graduation);
    std::vector<std::unique_ptr<Objective<4, 1>>> objectives;
    std::vector<Eigen::Vector4d> x_init;
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      objectives.push_back(std::make_unique<RobustObjective>(shards_[i], coordinates_[i].whiten,
                                                             graduation, shares_[i], agent(i)));
      x_init.push_back(coordinates_[i].to_whitened(result_.w[i]));
    }
    const std::int64_t before = result_.solve.iterations;
    append(solve_with(scheduled(stages), channel_, objectives, x_init));
    SolveResult<4, 1>& solve = result_.solve;
    if (solve.termination == Termination::iteration_limit &&
        solve.iterations == before + iterations(stages)) {
      solve.termination = Termination::completed;
    }
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      result_.w[i] = coordinates_[i].from_whitened(result_.solve.x[i]);
    }
  }

  std::int64_t iterations(int stages) const {
    return std::int64_t{stages} * (1 + robust_.inner_iterations);
  }

  /// The solver's options with the schedule's step, gossip and iterations in place of its own.
  AnySolverOptions scheduled(int stages) const {
    AnySolverOptions solver = solver_;
    std::visit(
        [&]<class Options>(Options& o) {
          o.step = std::ldexp(result_.step, -result_.solve.step_halvings);
          o.gossip = {result_.gossip_rounds, true, true};
          const auto rest = [](std::int64_t limit, std::int64_t spent) {
            return limit == 0 ? 0 : std::max<std::int64_t>(1, limit - spent);  // 0 is no limit
          };
          const SolveResult<4, 1>& spent = result_.solve;
          o.stop.max_iterations =
              std::min(rest(o.stop.max_iterations, spent.iterations), iterations(stages));
          o.stop.max_rounds = rest(o.stop.max_rounds, spent.traffic.rounds);
          o.stop.max_samples = rest(o.stop.max_samples, spent.samples);
          if (o.stop.max_seconds > 0) {
            o.stop.max_seconds = std::max(1e-9, o.stop.max_seconds - spent.seconds);
          }
          o.stop.max_step_halvings = robust_.max_step_halvings;
          o.stop.safe_radius = std::min(o.stop.safe_radius, kSafeRadius);
          if constexpr (std::is_same_v<Options, VrsgtOptions>) {
            o.inner_iterations = robust_.inner_iterations;
          }
        },
        solver);
    return solver;
  }

  /// A phase's result after those of the phases before.
  void append(SolveResult<4, 1> phase) {
    SolveResult<4, 1>& all = result_.solve;
    for (TraceEntry& entry : phase.trace) {
      entry.iteration += all.iterations;
      entry.samples += all.samples;
      entry.seconds += all.seconds;
      entry.traffic = entry.traffic + all.traffic;
      if (entry.mean.size() > 0) entry.mean = coordinates_.front().from_whitened(entry.mean);
    }
    all.trace.insert(all.trace.end(), phase.trace.begin(), phase.trace.end());
    all.x = std::move(phase.x);
    all.termination = phase.termination;
    all.iterations += phase.iterations;
    all.traffic = all.traffic + phase.traffic;
    all.samples += phase.samples;
    all.step_halvings += phase.step_halvings;
    all.residual = phase.residual;
    all.seconds += phase.seconds;
    all.observing_seconds += phase.observing_seconds;
  }

  /// The second moment of the points that count at the graduation's first scale: each agent's own,
  /// and what the agents agree on as the mean.
  struct Moments {
    std::vector<Eigen::Matrix4d> own;
    std::vector<Eigen::Matrix4d> mean;
  };

  /// One step of reweighted least squares by gossip: inverse iteration on the agreed moment. From
  /// nearly equal hyperplanes the agents come to the same one.
  Moments reweigh(const Graduation& graduation, double tolerance) {
    constexpr int kWidth = 10;            // a moment's lower triangle
    constexpr double kInvertible = 1e-9;  // of the trace
    Moments moments;
    std::vector<double> rows(shards_.size() * kWidth);
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      RobustObjective objective(shards_[i], Eigen::Matrix4d::Identity(), graduation, shares_[i],
                                agent(i));
      objective.begin_outer_iteration(0, result_.w[i]);
      moments.own.push_back(objective.weighted_moment(result_.w[i]));
      pack_lower(moments.own[i], &rows[i * kWidth]);
    }
    gossip_average(channel_, rows, kWidth, tolerance, kOnTheWire);
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      moments.mean.push_back(unpack_lower(&rows[i * kWidth]));
      Eigen::Matrix4d regular = moments.mean[i];
      regular.diagonal().array() += kInvertible * regular.trace();
      result_.w[i] = regular.ldlt().solve(result_.w[i]).normalized();
    }
    return moments;
  }

  /// Coordinates in which the points that count at the phase's first scale have the identity as
  /// second moment: along the plane the loss has curvature 1 there, and steps converge like
  /// Newton's. Across the plane these points have no extent; the coordinate is given the length
  /// that makes the scale small.
  void whiten(const Graduation& graduation) {
    constexpr double kScaleAcross = 0.3;  // whitened
    constexpr double kRegular = 0.01;     // of the second moment of all points
    const Moments moments = reweigh(graduation, kWhiteningTolerance);
    double curvature = 0;
    const double across = graduation.scale_rad(0) / kScaleAcross;
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      const Eigen::Vector4d& w = result_.w[i];
      const Eigen::Matrix4d moment =
          moments.mean[i] + kRegular * views_[i].moment() + across * across * w * w.transpose();
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(moment);
      coordinates_[i] = {eigen.operatorInverseSqrt(), eigen.operatorSqrt()};
      const Eigen::Matrix4d& map = coordinates_[i].whiten;
      curvature = std::max(curvature, largest_eigenvalue(map * moments.own[i] * map));
    }
    result_.step = choose_step(channel_.flood_max(curvature));
  }

  /// The iterates agree up to what the last steps moved; a few more messages make them agree
  /// closely.
  void agree_on_result() {
    auto& w = result_.w;
    std::vector<double> rows(w.size() * 4);
    for (std::size_t i = 0; i < w.size(); ++i) std::copy_n(w[i].data(), 4, &rows[4 * i]);
    gossip_average(channel_, rows, 4, robust_.consensus_tolerance, kOnTheWire);
    for (std::size_t i = 0; i < w.size(); ++i) {
      w[i] = Eigen::Map<const Eigen::Vector4d>(&rows[4 * i]).normalized();
      result_.solve.x[i] = coordinates_[i].to_whitened(w[i]);
    }
  }

  Channel& channel_;
  std::span<const HomogeneousCloud> shards_;
  std::span<const Spectrum> views_;
  const AnySolverOptions& solver_;
  const RobustOptions& robust_;
  DpcpResult& result_;
  std::vector<double> shares_;
  std::vector<Coordinates> coordinates_;
};

}  // namespace

void solve_robust(Channel& channel, std::span<const HomogeneousCloud> shards,
                  std::span<const Spectrum> views, const AnySolverOptions& solver,
                  const RobustOptions& robust, DpcpResult& result) {
  RobustSolve(channel, shards, views, solver, robust, result)();
  const Eigen::Vector4d& w = result.w.front();
  result.road.mounting = mounting_of(w, robust.prior);
  int axis = 0;
  w.head<3>().cwiseAbs().maxCoeff(&axis);
  result.road.up_axis = "xyz"[axis];
}

}  // namespace roadplane
