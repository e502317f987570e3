#include "roadplane/pipeline/segment_frame.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "frame_output.hpp"
#include "frame_truth.hpp"
#include "roadplane/evaluation/confusion.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/input_error.hpp"

namespace roadplane {
namespace {

/// Agents whose hyperplanes differ by more have not agreed, however the solve ended.
constexpr double kAgreement = 1e-3;

/// Gives the milliseconds since it was made, or since the last lap.
class Laps {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::milli>(now - std::exchange(last_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// What an observer of all agents sees: their hyperplanes, the mean, and how far they are apart.
struct Agreement {
  std::vector<Eigen::Vector4d> all;
  Eigen::Vector4d mean = Eigen::Vector4d::Zero();
  double worst_deviation = 0;

  explicit Agreement(std::vector<Eigen::Vector4d> w) : all(std::move(w)) {
    for (const Eigen::Vector4d& agent : all) mean += agent;
    mean.normalize();
    for (const Eigen::Vector4d& agent : all) {
      worst_deviation = std::max(worst_deviation, (agent - mean).norm());
    }
  }
};

void set_incomplete(FrameRecord& record, const std::string& why) {
  record.status = FrameStatus::incomplete;
  if (record.error.empty()) record.error = why;
}

std::vector<HomogeneousCloud> share_out(PointSpan points, const Shards& shards,
                                        std::span<const int> agents) {
  std::vector<HomogeneousCloud> clouds(agents.size());
  assign_shards(points, shards, agents, clouds);
  return clouds;
}

void record_solve(const DpcpResult& result, const Network& network, FrameRecord& record) {
  const Traffic& traffic = result.traffic;
  record.note = result.road.note();
  record.step = result.step;
  record.step_halvings = result.solve.step_halvings;
  record.iterations = result.solve.iterations;
  record.rounds = traffic.rounds;
  record.messages = traffic.messages(network.graph);
  record.bytes_per_agent = traffic.bytes_per_agent(network.graph);
  record.bytes_scan_per_agent =
      static_cast<double>(record.points * sizeof(Point)) / network.agents();
  record.samples = result.solve.samples;
  record.ms.whiten += 1e3 * result.whitening_seconds;
  record.ms.solve = 1e3 * result.solving_seconds;
  if (!result.solve.trace.empty()) record.gap = result.solve.trace.back().gap;
}

/// By talking to neighbours the agents agree on the plane. Throws InputError if there is none.
Agreement agree_on_plane(std::span<const HomogeneousCloud> clouds, const SegmentPlan& plan,
                         Channel& channel, const std::string& where, FrameRecord& record,
                         std::vector<TraceEntry>& trace) {
  DpcpResult result = solve_dpcp(channel, clouds, plan.dpcp);
  record.termination = to_string(result.solve.termination);
  if (!result.degeneracy.empty()) {
    throw InputError(where, "points that hold a plane", result.degeneracy);
  }
  if (result.solve.termination == Termination::diverged) {
    throw InputError(where, "convergence", "divergence; try a smaller --step");
  }
  record_solve(result, plan.network, record);
  trace = std::move(result.solve.trace);
  Agreement agreement(std::move(result.w));
  const auto plane = Plane::from_hyperplane(agreement.mean);
  if (!plane) throw InputError(where, "a plane", "the plane at infinity");
  record.w = agreement.mean;
  record.plane = *plane;
  record.consensus_error = agreement.worst_deviation;
  if (agreement.worst_deviation > kAgreement) {
    set_incomplete(
        record, fmt::format("{}: expected agents that agree to {:g}, found a difference of {:.1e}",
                            where, kAgreement, agreement.worst_deviation));
  }
  return agreement;
}

/// Every point by its distance to the agents' plane.
void label(const SegmentPlan& plan, FrameOutput& output, FrameRecord& record) {
  // Positive on the sensor's side, which is above the road also if the sensor hangs upside down.
  const Eigen::Vector4d w = record.w(3) < 0 ? Eigen::Vector4d(-record.w) : record.w;
  residuals(output.points, w, plan.threshold.unit, output.residuals);
  record.threshold = plan.threshold.to_string();
  record.threshold_value =
      plan.threshold.automatic ? auto_threshold(output.residuals) : plan.threshold.value;
  record.inliers = label_road(output.residuals, record.threshold_value, output.road);
}

FrameScore score(const kitti::GroundTruth& truth, const Agreement& agreement, const Plane& plane,
                 const FrameOutput& output) {
  FrameScore score;
  score.truth = truth.source;
  score.recovery_error = recovery_error(agreement.mean, truth.hyperplane);
  for (const Eigen::Vector4d& w : agreement.all) {
    score.recovery_error_worst_agent =
        std::max(score.recovery_error_worst_agent, recovery_error(w, truth.hyperplane));
  }
  if (const auto true_plane = Plane::from_hyperplane(truth.hyperplane)) {
    const double sine = plane.normal.cross(true_plane->normal).norm();
    score.angle_deg = std::asin(std::min(1.0, sine)) * 180 / std::numbers::pi;
    score.height_error_m = std::abs(plane.offset_m - true_plane->offset_m);
  }
  if (!truth.mask.empty()) {
    const Confusion confusion = compare_labels(output.road, truth.mask);
    score.labels = {confusion.precision(),
                    confusion.recall(),
                    confusion.f1(),
                    confusion.iou(),
                    area_under_curve(output.residuals, truth.mask),
                    best_f1(output.residuals, truth.mask)};
  }
  return score;
}

/// Runs a step that may find something beside the scan to be bad: then the frame is incomplete.
void may_be_incomplete(FrameRecord& record, const auto& step) {
  try {
    step();
  } catch (const InputError& error) {
    set_incomplete(record, error.what());
  }
}

/// Throws InputError if the frame gives no plane.
void segment(const kitti::Frame& frame, const SegmentPlan& plan,
             const std::filesystem::path& folder, FrameRecord& record) {
  // Read the scan.
  Laps laps;
  const Scan scan = kitti::load_scan(frame);
  record.points = scan.size();
  record.ms.load = laps.lap();

  // Every agent takes its shard; together they agree on the plane.
  const Shards shards = make_shards(scan, plan.shards, plan.network.agents(), plan.seed);
  LocalChannel channel(plan.network);
  const std::vector<HomogeneousCloud> clouds = share_out(scan, shards, channel.hosted());
  record.ms.whiten = laps.lap();
  FrameOutput output{frame, plan, scan, shards, record};
  const Agreement agreement =
      agree_on_plane(clouds, plan, channel, frame.scan.string(), record, output.trace);

  // Label every point, and compare with the truth where there is one.
  laps.lap();
  label(plan, output, record);
  record.ms.label = laps.lap();
  may_be_incomplete(record, [&] {
    auto truth = find_truth(frame, scan, plan.truth);
    if (!truth) return;
    record.score = score(*truth, agreement, record.plane, output);
    output.truth = std::move(truth->mask);
  });

  // Write labels, pictures and clouds.
  laps.lap();
  may_be_incomplete(record, [&] { output.write(folder); });
  record.ms.draw = laps.lap();
}

}  // namespace

FrameRecord segment_frame(const kitti::Frame& frame, const SegmentPlan& plan,
                          const std::filesystem::path& folder) {
  FrameRecord record;
  record.sequence = frame.sequence;
  record.name = frame.name();
  record.frame = frame.number;
  try {
    segment(frame, plan, folder, record);
  } catch (const std::exception& error) {  // whatever it is, the other frames go on
    record.status = FrameStatus::failed;
    record.error = error.what();
  }
  return record;
}

}  // namespace roadplane
