#include "plane_study_runs.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "roadplane/base/stopwatch.hpp"
#include "roadplane/evaluation/confusion.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/evaluation/scoring.hpp"
#include "roadplane/geometry/upwards.hpp"
#include "roadplane/ground/labelling.hpp"
#include "roadplane/objective/window.hpp"

namespace plane_study {
namespace {

using namespace roadplane;

constexpr double kElsewhere = 0.02;  // [sine] between hyperplanes
constexpr int kAgents = 16;

Network default_network(int agents = kAgents) {
  return Network(Graph::erdos_renyi(agents, 0.5, 1));
}

/// The default network is the first.
std::vector<Network> networks_of(const Runs& runs) {
  std::vector<Network> networks{default_network()};
  if (runs.networks) {
    networks.emplace_back(Graph::ring(kAgents));
    networks.emplace_back(Graph::star(kAgents));
    networks.emplace_back(Graph::ring(64));
  }
  for (const int agents : runs.agents) networks.push_back(default_network(agents));
  return networks;
}

std::vector<ShardKind> kinds_of(const Runs& runs) {
  if (!runs.shards) return {ShardKind::azimuth};
  return {ShardKind::azimuth, ShardKind::contiguous, ShardKind::interleaved, ShardKind::random};
}

std::vector<HomogeneousCloud> clouds_of(const Scan& scan, ShardKind kind, int agents) {
  const Shards shards = make_shards(scan, kind, agents, 1);
  std::vector<HomogeneousCloud> clouds(static_cast<std::size_t>(agents));
  const std::size_t enough = columns_enough({}, agents);
  for (int i = 0; i < agents; ++i) {
    clouds[i].assign(scan, shards[i], {enough, static_cast<std::uint32_t>(i)});
  }
  return clouds;
}

double f1_of(const Problem& problem, const Eigen::Vector4d& w) {
  if (problem.mask.empty()) return 0;
  const Threshold threshold = default_threshold(problem.target());
  return compare_labels(label_points(problem.scan, w, threshold).road, problem.mask).f1();
}

bool covers(const std::optional<Interval>& interval, double value) {
  return interval && interval->low <= value && value <= interval->high;
}

void keep_first(const PlaneFit& fit, const Problem& problem, Outcome& outcome) {
  outcome.first = fit.w[0];
  outcome.tilt_deg = fit.finding.tilt_deg;
  outcome.height_m = fit.finding.height_m;
  if (!problem.truth) return;
  const auto truth = Plane::from_hyperplane(*problem.truth);
  if (!truth) return;
  outcome.tilt_covered = covers(fit.finding.tilt_deg, std::acos(truth->normal.z()) * 180 / M_PI);
  outcome.height_covered = covers(fit.finding.height_m, truth->offset_m);
}

void add_error(const Off& of_agent, Off& worst) {
  worst.error = std::max(worst.error, of_agent.error);
  worst.distance.angle_deg = std::max(worst.distance.angle_deg, of_agent.distance.angle_deg);
  worst.distance.height_m = std::max(worst.distance.height_m, of_agent.distance.height_m);
}

/// A run without a plane is wrong, and marked as such.
void add_nothing(const PlaneFit& fit, Outcome& outcome) {
  outcome.note = fit.degeneracy;
  outcome.worst = {1, {90, 0}};
  ++outcome.elsewhere;
  ++outcome.wrong;
  ++outcome.suspect;
}

void add_planes(const PlaneFit& fit, const Problem& problem, const Eigen::Vector3d& middle,
                Outcome& outcome) {
  bool wrong = false;
  for (const Eigen::Vector4d& w : fit.w) {
    outcome.moved = std::max(outcome.moved, recovery_error(w, *outcome.first));
    if (!problem.truth) continue;
    const Off of_agent = off(w, *problem.truth, middle);
    add_error(of_agent, outcome.worst);
    wrong = wrong || of_agent.distance.far_apart();
  }
  const bool elsewhere = recovery_error(fit.w[0], *outcome.first) > kElsewhere;
  const bool suspect = fit.finding.suspect();
  outcome.elsewhere += elsewhere ? 1 : 0;
  outcome.unmarked += elsewhere && !suspect ? 1 : 0;
  outcome.wrong += wrong ? 1 : 0;
  outcome.unmarked_wrong += wrong && !suspect ? 1 : 0;
  outcome.suspect += suspect ? 1 : 0;
  const std::string note = (suspect ? "SUSPECT " : "") + fit.finding.note();
  if (outcome.note.size() < note.size()) outcome.note = note;
}

void add_costs(const PlaneFit& fit, const Graph& graph, Outcome& outcome) {
  outcome.rounds = std::max(outcome.rounds, fit.traffic.rounds);
  outcome.messages = std::max(outcome.messages, fit.traffic.messages_per_link);
  outcome.iterations = std::max(outcome.iterations, fit.solve.iterations);
  outcome.kilobytes = std::max(outcome.kilobytes, fit.traffic.bytes_per_agent(graph) / 1e3);
}

/// The frame that a start without error gives: the road is z = -1.73 m, wherever the file's origin
/// is.
Eigen::Isometry3d own_frame(const Plane& truth) {
  constexpr double kHeightM = 1.73;
  const auto upright = Eigen::Quaterniond::FromTwoVectors(truth.normal, Eigen::Vector3d::UnitZ());
  return Eigen::Translation3d(0, 0, truth.offset_m - kHeightM) * upright;
}

HomogeneousCloud road_points(const Problem& problem, const Eigen::Isometry3d& frame) {
  Scan road;
  for (std::size_t k = 0; k < problem.mask.size(); ++k) {
    if (problem.mask[k] != kPositive) continue;
    const Point& p = problem.scan[k];
    const Eigen::Vector3f q = (frame * Eigen::Vector3d(p.x, p.y, p.z)).cast<float>();
    road.push_back({q.x(), q.y(), q.z(), 0});
  }
  HomogeneousCloud cloud;
  cloud.assign(road);
  return cloud;
}

/// The minimiser, next to the truth, of the loss that the plane was found with on the labelled road
/// points alone: how exact the loss is where nothing disturbs it. Angles are those seen from the
/// frame's origin.
std::optional<Eigen::Vector4d> minimiser_on_road(const Problem& problem, const Window& window,
                                                 const Eigen::Isometry3d& frame) {
  constexpr int kSteps = 300;
  constexpr double kArrived = 1e-10;  // [sine] of a step
  const HomogeneousCloud cloud = road_points(problem, frame);
  const Eigen::Matrix4d to_frame = frame.matrix().inverse().transpose();  // of hyperplanes
  Eigen::Vector4d w = (to_frame * upwards(*problem.truth)).normalized();
  for (int step = 0; step < kSteps; ++step) {
    const Eigen::Matrix4d moment = CloudSums(cloud).moment(w, window);
    if (moment.trace() <= 0) return std::nullopt;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(moment);
    Eigen::Vector4d next = solver.eigenvectors().col(0);
    if (next.dot(w) < 0) next = -next;
    const double moved = recovery_error(next, w);
    w = next;
    if (moved < kArrived) break;
  }
  return frame.matrix().transpose() * w;
}

void add_road_alone(const Problem& problem, const Window& window, const Eigen::Vector3d& middle,
                    Outcome& outcome) {
  const auto plane = problem.truth ? Plane::from_hyperplane(*problem.truth) : std::nullopt;
  if (!plane || problem.mask.empty()) return;
  const auto error = [&](const Eigen::Isometry3d& frame) -> std::optional<Off> {
    const auto w = minimiser_on_road(problem, window, frame);
    return w ? std::optional(off(*w, *problem.truth, middle)) : std::nullopt;
  };
  outcome.road_alone = error(Eigen::Isometry3d::Identity());
  outcome.road_alone_own = error(own_frame(*plane));
}

PlaneOptions options_of(const Problem& problem, const Change& change) {
  PlaneOptions options;
  auto& robust = std::get<RobustOptions>(options.objective);
  robust.sought = plane_sought(problem.target());
  change.apply(robust);
  return options;
}

}  // namespace

void Change::apply(RobustOptions& options) const {
  const auto multiply = [this](double& value, bool also) {
    if (also) value *= factor;
  };
  multiply(options.dominant_rad, field == "scale" || field == "dominant_rad");
  for (double* part : {&options.above.rad, &options.above.m}) {
    multiply(*part, field == "scale" || field == "above");
  }
  for (double* part : {&options.below.rad, &options.below.m}) {
    multiply(*part, field == "scale" || field == "below");
  }
  multiply(options.near_m, field == "near_m");
  multiply(options.rest, field == "rest");
}

Off off(const Eigen::Vector4d& w, const Eigen::Vector4d& truth, const Eigen::Vector3d& middle) {
  return {recovery_error(w, truth),
          plane_distance(w, truth, middle).value_or(PlaneDistance{90, 0})};
}

Outcome solve(const Problem& problem, const Runs& runs, const Change& change) {
  Outcome outcome;
  const Eigen::Vector3d middle = problem.middle();
  PlaneOptions options = options_of(problem, change);
  const std::vector<Network> networks = networks_of(runs);
  for (const Network& network : networks) {
    for (const ShardKind kind : kinds_of(runs)) {
      const auto clouds = clouds_of(problem.scan, kind, network.agents());
      for (std::uint64_t seed = 1; seed <= runs.seeds; ++seed) {
        std::get<VrsgtOptions>(options.solver).seed = seed;
        LocalChannel channel(network);
        const Stopwatch watch;
        const PlaneFit fit = find_plane(channel, clouds, options);
        outcome.best_ms = std::min(outcome.best_ms, watch.ms());
        ++outcome.runs;
        if (fit.w.empty()) {
          add_nothing(fit, outcome);
          continue;
        }
        if (!outcome.first) keep_first(fit, problem, outcome);
        add_planes(fit, problem, middle, outcome);
        if (&network == networks.data()) add_costs(fit, network.graph, outcome);
        outcome.f1 = f1_of(problem, fit.w[0]);
      }
    }
  }
  add_road_alone(problem, std::get<RobustOptions>(options.objective).window(), middle, outcome);
  return outcome;
}

PlaneFit solve_once(const Scan& scan, Target target) {
  static const Network network = default_network();
  PlaneOptions options;
  std::get<RobustOptions>(options.objective).sought = plane_sought(target);
  LocalChannel channel(network);
  return find_plane(channel, clouds_of(scan, ShardKind::azimuth, kAgents), options);
}

}  // namespace plane_study
