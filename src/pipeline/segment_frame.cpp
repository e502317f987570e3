#include "roadplane/pipeline/segment_frame.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "frame_output.hpp"
#include "roadplane/evaluation/confusion.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/input_error.hpp"
#include "roadplane/kitti/cloud_file.hpp"
#include "roadplane/kitti/ground_truth.hpp"
#include "roadplane/kitti/plane_file.hpp"

namespace roadplane {
namespace {

/// Adds the time since it was made, or since the last lap, to a counter of milliseconds.
class Laps {
 public:
  void lap(double& milliseconds) {
    const auto now = std::chrono::steady_clock::now();
    milliseconds += std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

std::vector<HomogeneousCloud> share_out(PointSpan points, const Shards& shards) {
  std::vector<HomogeneousCloud> clouds(shards.agents());
  for (int i = 0; i < shards.agents(); ++i) clouds[i].assign(points, shards[i]);
  return clouds;
}

/// What an observer of all agents sees: their mean hyperplane and the one farthest from it.
struct Agreement {
  Eigen::Vector4d mean = Eigen::Vector4d::Zero();
  std::vector<Eigen::Vector4d> all;
  double worst_deviation = 0;

  explicit Agreement(const std::vector<Eigen::Vector4d>& w) : all(w) {
    for (const Eigen::Vector4d& agent : w) mean += agent;
    mean.normalize();
    for (const Eigen::Vector4d& agent : w) {
      worst_deviation = std::max(worst_deviation, (agent - mean).norm());
    }
  }
};

void record_solve(const DpcpResult& result, const Agreement& agreement, const SegmentPlan& plan,
                  FrameRecord& record) {
  const Graph& graph = plan.network.graph;
  const Traffic traffic = result.whitening + result.solve.traffic;
  record.w = agreement.mean;
  record.consensus_error = agreement.worst_deviation;
  record.iterations = result.solve.iterations;
  record.rounds = traffic.rounds;
  record.messages = traffic.messages(graph);
  record.bytes_per_agent = traffic.bytes_per_agent(graph);
  record.bytes_scan_per_agent =
      static_cast<double>(record.points * sizeof(Point)) / plan.network.agents();
  record.samples = result.solve.samples;
  if (!result.solve.trace.empty()) record.gap = result.solve.trace.back().gap;
}

std::optional<kitti::GroundTruth> find_truth(const kitti::Frame& frame, PointSpan points,
                                             const std::string& wanted) {
  if (wanted == "none") return std::nullopt;
  const std::string where = frame.scan.string();
  if (wanted == "reference") return kitti::reference_truth(points, where);
  if (wanted.ends_with(".json")) {
    const auto plane = kitti::read_plane(wanted, frame.stem());
    if (!plane) throw InputError(wanted, "a plane of frame " + frame.stem(), "none");
    return kitti::GroundTruth{{}, *plane, "plane file"};
  }
  const bool any = wanted == "auto";
  return kitti::load_ground_truth(frame, points,
                                  any ? kitti::ClassSet::road() : kitti::ClassSet::parse(wanted));
}

FrameScore score(const kitti::GroundTruth& truth, const Agreement& agreement, const Plane& plane,
                 std::span<const float> residuals, std::span<const std::uint8_t> road) {
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
    const Confusion confusion = compare_labels(road, truth.mask);
    score.labels = {confusion.precision(),
                    confusion.recall(),
                    confusion.f1(),
                    confusion.iou(),
                    area_under_curve(residuals, truth.mask),
                    best_f1(residuals, truth.mask)};
  }
  return score;
}

void set_incomplete(FrameRecord& record, const std::exception& error) {
  record.status = FrameStatus::incomplete;
  if (record.error.empty()) record.error = error.what();
}

/// Throws InputError if the frame gives no plane.
void segment(const kitti::Frame& frame, const SegmentPlan& plan,
             const std::filesystem::path& folder, FrameRecord& record) {
  // Read the scan.
  Laps laps;
  const Scan scan = kitti::load_scan(frame);
  record.points = scan.size();
  laps.lap(record.ms.load);

  // Every agent takes its shard, and by talking to neighbours they agree on the plane.
  const Shards shards = make_shards(scan, plan.shards, plan.network.agents(), plan.seed);
  const std::vector<HomogeneousCloud> clouds = share_out(scan, shards);
  LocalChannel channel(plan.network);
  const DpcpResult result = solve_dpcp(channel, clouds, plan.dpcp);
  laps.lap(record.ms.whiten);
  record.ms.solve = 1e3 * result.solve.seconds;
  record.ms.whiten -= record.ms.solve;
  record.termination = to_string(result.solve.termination);
  const std::string where = frame.scan.string();
  if (!result.degeneracy.empty())
    throw InputError(where, "points that hold a plane", result.degeneracy);
  if (result.solve.termination == Termination::diverged) {
    throw InputError("--step", "a step at which " + where + " converges", "divergence");
  }
  const Agreement agreement(result.w);
  record_solve(result, agreement, plan, record);
  const auto plane = Plane::from_hyperplane(agreement.mean);
  if (!plane) throw InputError(where, "a plane", "the plane at infinity");
  record.plane = *plane;

  // Label every point by its distance.
  FrameOutput output{frame, plan, scan, shards, record, {}, {}, {}};
  residuals(scan, agreement.mean, plan.threshold.unit, output.residuals);
  record.threshold = plan.threshold.to_string();
  record.threshold_value =
      plan.threshold.automatic ? auto_threshold(output.residuals) : plan.threshold.value;
  record.inliers = label_road(output.residuals, record.threshold_value, output.road);

  // Score, where there is a truth.
  try {
    if (auto truth = find_truth(frame, scan, plan.truth)) {
      record.score = score(*truth, agreement, *plane, output.residuals, output.road);
      output.truth = std::move(truth->mask);
    }
  } catch (const InputError& error) {
    set_incomplete(record, error);
  }
  laps.lap(record.ms.label);

  // Write labels, pictures and clouds.
  try {
    output.write(folder, result.solve.trace);
  } catch (const InputError& error) {
    set_incomplete(record, error);
  }
  laps.lap(record.ms.draw);
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
  } catch (const InputError& error) {
    record.status = FrameStatus::failed;
    record.error = error.what();
  }
  return record;
}

}  // namespace roadplane
