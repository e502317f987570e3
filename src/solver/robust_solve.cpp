#include "robust_solve.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <memory>
#include <type_traits>

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

    run_phase(0, robust_.sharpenings);
    run_phase(robust_.sharpenings, robust_.outer_iterations());
    agree_on_result();
  }

 private:
  /// One message is enough where the slowest disagreement shrinks to two thirds by it; elsewhere
  /// neighbouring shards resemble each other and it must shrink to less than half.
  GossipOptions choose_gossip() const {
    const Network& network = channel_.network();
    GossipOptions gossip{std::max(1, robust_.gossip_rounds), true};
    if (robust_.gossip_rounds > 0 || network.round_factor <= 2.0 / 3) return gossip;
    while (contraction(network, gossip) > 0.45) ++gossip.rounds;
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

  /// Stages first..last-1 from the hyperplanes result_.w.
  void run_phase(int first, int last) {
    if (first == last || (first > 0 && result_.solve.termination != Termination::completed)) return;
    Graduation graduation = robust_.graduation();
    graduation.first_stage = first;
    if (!std::holds_alternative<VrsgtOptions>(solver_)) {
      graduation.iterations = 1 + robust_.inner_iterations;  // every iteration is an outer one
    }
    whiten(graduation);
    std::vector<std::unique_ptr<Objective<4, 1>>> objectives;
    std::vector<Eigen::Vector4d> x_init;
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      objectives.push_back(std::make_unique<RobustObjective>(shards_[i], coordinates_[i].whiten,
                                                             graduation, shares_[i]));
      x_init.push_back(coordinates_[i].to_whitened(result_.w[i]));
    }
    append(solve_with(scheduled(last - first), channel_, objectives, x_init));
    SolveResult<4, 1>& solve = result_.solve;
    if (solve.termination == Termination::iteration_limit && solve.iterations == iterations(last)) {
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
          o.gossip = {result_.gossip_rounds, true};
          const auto rest = [](std::int64_t limit, std::int64_t spent) {
            return limit == 0 ? 0 : std::max<std::int64_t>(1, limit - spent);  // 0 is no limit
          };
          const SolveResult<4, 1>& spent = result_.solve;
          o.stop.max_iterations =
              std::min(rest(o.stop.max_iterations, spent.iterations), iterations(stages));
          o.stop.max_rounds = rest(o.stop.max_rounds, spent.traffic.rounds);
          o.stop.max_samples = rest(o.stop.max_samples, spent.samples);
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

  /// Coordinates in which the points that count at the phase's first scale have the identity as
  /// second moment: along the plane the loss has curvature 1 there, and steps converge like
  /// Newton's. Across the plane these points have no extent; the coordinate is given the length
  /// that makes the scale small. The agents also take the mean of their hyperplanes, so that they
  /// have the same coordinates and the phase starts in agreement.
  void whiten(const Graduation& graduation) {
    constexpr double kScaleAcross = 0.3;  // whitened
    constexpr double kRegular = 0.01;     // of the second moment of all points
    constexpr int kWidth = 14;            // the moment's lower triangle, and w
    std::vector<double> rows(shards_.size() * kWidth);
    std::vector<Eigen::Matrix4d> own(shards_.size());
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      RobustObjective objective(shards_[i], Eigen::Matrix4d::Identity(), graduation, shares_[i]);
      objective.begin_outer_iteration(0, result_.w[i]);
      own[i] = objective.weighted_moment(result_.w[i]);
      pack_lower(own[i], &rows[i * kWidth]);
      std::copy_n(result_.w[i].data(), 4, &rows[i * kWidth + 10]);
    }
    gossip_average(channel_, rows, kWidth, kWhiteningTolerance);
    double curvature = 0;
    const double across = graduation.scale_rad(0) / kScaleAcross;
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      Eigen::Matrix4d moment = unpack_lower(&rows[i * kWidth]);
      Eigen::Vector4d& w = result_.w[i];
      w = Eigen::Map<const Eigen::Vector4d>(&rows[i * kWidth + 10]).normalized();
      moment += kRegular * views_[i].moment() + across * across * w * w.transpose();
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(moment);
      coordinates_[i] = {eigen.operatorInverseSqrt(), eigen.operatorSqrt()};
      const Eigen::Matrix4d& map = coordinates_[i].whiten;
      curvature = std::max(curvature, largest_eigenvalue(map * own[i] * map));
    }
    result_.step = choose_step(channel_.flood_max(curvature));
  }

  /// The iterates agree up to what the last steps moved; a few more messages make them agree
  /// closely.
  void agree_on_result() {
    auto& w = result_.w;
    std::vector<double> rows(w.size() * 4);
    for (std::size_t i = 0; i < w.size(); ++i) std::copy_n(w[i].data(), 4, &rows[4 * i]);
    gossip_average(channel_, rows, 4, robust_.consensus_tolerance);
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
  find_second_plane(channel, shards, result.w, result.road);
}

}  // namespace roadplane
