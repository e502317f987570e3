#include "roadplane/pipeline/frame_score.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "roadplane/evaluation/confusion.hpp"
#include "roadplane/evaluation/recovery_error.hpp"

namespace roadplane {

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

FrameScore score_frame(const kitti::GroundTruth& truth, std::span<const Eigen::Vector4d> agents,
                       const FrameRecord& record, std::span<const float> residuals,
                       std::span<const std::uint8_t> road) {
  FrameScore score;
  score.truth = truth.source;
  score.recovery_error = recovery_error(record.w, truth.hyperplane);
  for (const Eigen::Vector4d& w : agents) {
    score.recovery_error_worst_agent =
        std::max(score.recovery_error_worst_agent, recovery_error(w, truth.hyperplane));
  }
  if (const auto true_plane = Plane::from_hyperplane(truth.hyperplane)) {
    const double sine = record.plane.normal.cross(true_plane->normal).norm();
    score.angle_deg = std::asin(std::min(1.0, sine)) * 180 / std::numbers::pi;
    score.height_error_m = std::abs(record.plane.offset_m - true_plane->offset_m);
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

}  // namespace roadplane
