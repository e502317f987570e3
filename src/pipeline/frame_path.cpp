#include "roadplane/pipeline/frame_path.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "roadplane/base/text.hpp"
#include "roadplane/evaluation/confusion.hpp"
#include "roadplane/evaluation/recovery_error.hpp"

namespace roadplane {

void assign_clouds(const PointRows& points, const Shards& shards,
                   const HomogeneousCloud::Sample& sample, std::vector<HomogeneousCloud>& clouds) {
  clouds.resize(static_cast<std::size_t>(shards.agents()));
  std::vector<int> all(clouds.size());
  std::iota(all.begin(), all.end(), 0);
  assign_shards(points, shards, all, clouds, sample);
}

std::vector<HomogeneousCloud> clouds_of(const PointRows& points, const Shards& shards,
                                        const HomogeneousCloud::Sample& sample) {
  std::vector<HomogeneousCloud> clouds;
  assign_clouds(points, shards, sample, clouds);
  return clouds;
}

Consensus consensus_of(std::vector<Eigen::Vector4d> agents) {
  Consensus consensus;
  consensus.agents = std::move(agents);
  for (const Eigen::Vector4d& agent : consensus.agents) consensus.mean += agent;
  consensus.mean.normalize();
  for (const Eigen::Vector4d& agent : consensus.agents) {
    consensus.worst_deviation =
        std::max(consensus.worst_deviation, (agent - consensus.mean).norm());
  }
  return consensus;
}

Consensus observe_consensus(const Channel& channel, std::span<const Eigen::Vector4d> hosted) {
  std::vector<double> own(4 * hosted.size());
  for (std::size_t i = 0; i < hosted.size(); ++i) std::copy_n(hosted[i].data(), 4, &own[4 * i]);
  std::vector<double> rows(4 * static_cast<std::size_t>(channel.network().agents()));
  channel.observe(own, 4, rows);
  std::vector<Eigen::Vector4d> agents;
  const LinkFaults& faults = channel.network().faults;
  for (std::size_t k = 0; k < rows.size(); k += 4) {
    const bool left = faults.gone(static_cast<int>(k / 4), channel.traffic().messages_per_link);
    if (!left) agents.emplace_back(&rows[k]);
  }
  return consensus_of(std::move(agents));
}

std::optional<std::string> why_no_plane(const PlaneFit& fit) {
  if (fit.solve.termination == Termination::degenerate_input) {
    return fit.degeneracy.empty() ? "a borderline case" : fit.degeneracy;
  }
  if (fit.solve.termination == Termination::budget_too_small) {
    return "budget too small (needs " + fit.solve.needs + ")";
  }
  if (fit.solve.termination == Termination::diverged) {
    return "divergence with step " + std::to_string(fit.step) + "; a smaller one may help";
  }
  return std::nullopt;
}

FrameScore score_of(const Consensus& consensus, const PointLabels& labels,
                    const kitti::GroundTruth& truth) {
  FrameScore score;
  score.truth = truth.source;
  score.recovery_error = recovery_error(consensus.mean, truth.hyperplane);
  for (const Eigen::Vector4d& w : consensus.agents) {
    score.recovery_error_worst_agent =
        std::max(score.recovery_error_worst_agent, recovery_error(w, truth.hyperplane));
  }
  const auto plane = Plane::from_hyperplane(consensus.mean);
  if (const auto true_plane = Plane::from_hyperplane(truth.hyperplane); plane && true_plane) {
    const double sine = plane->normal.cross(true_plane->normal).norm();
    score.angle_deg = std::asin(std::min(1.0, sine)) * 180 / std::numbers::pi;
    score.height_error_m = std::abs(plane->offset_m - true_plane->offset_m);
  }
  if (!truth.mask.empty()) {
    const Confusion confusion = compare_labels(labels.road, truth.mask);
    score.labels = {std::string(to_string(truth.scoring)),
                    confusion.precision(),
                    confusion.recall(),
                    confusion.f1(),
                    confusion.iou(),
                    confusion.accuracy(),
                    area_under_curve(labels.residuals, truth.mask),
                    best_f1(labels.residuals, truth.mask)};
  }
  return score;
}

std::vector<double> recovery_errors(std::span<const TraceEntry> trace,
                                    const Eigen::Vector4d& truth) {
  std::vector<double> errors;
  for (const TraceEntry& entry : trace) errors.push_back(recovery_error(entry.mean, truth));
  return errors;
}

FrameRecord record_of(const kitti::Frame& frame, std::size_t points) {
  FrameRecord record;
  record.sequence = utf8_of_name(frame.sequence);
  record.name = frame.name();
  record.frame = frame.number;
  record.points = points;
  if (frame.reading.to_sensor) record.sensor_origin = "given";
  return record;
}

FrameRecord with_fit(FrameRecord record, const PlaneFit& fit, const Network& network) {
  record.termination = to_string(fit.solve.termination);
  record.note = fit.finding.note();
  if (fit.finding.suspect()) record.status = std::max(record.status, FrameStatus::suspect);
  const LinkFaults& faults = network.faults;
  if (faults.leaves() && faults.gone(faults.leaver, fit.traffic.messages_per_link)) {
    record.note += (record.note.empty() ? "agent " : "; agent ") + std::to_string(faults.leaver) +
                   " has left: its points have the plane that it had then";
    record.status = std::max(record.status, FrameStatus::suspect);
  }
  record.tilt_deg_95 = fit.finding.tilt_deg;
  record.height_m_95 = fit.finding.height_m;
  record.step = fit.step;
  record.step_halvings = fit.solve.step_halvings;
  record.iterations = fit.solve.iterations;
  record.rounds = fit.traffic.rounds;
  record.messages = fit.traffic.messages(network.graph);
  record.messages_per_link = fit.traffic.messages_per_link;
  record.bytes_per_agent = fit.traffic.bytes_per_agent(network.graph);
  record.bytes_scan_per_agent =
      static_cast<double>(record.points * sizeof(Point)) / network.agents();
  record.samples = fit.samples;
  record.ms.start += 1e3 * fit.start_seconds;
  record.ms.solve = 1e3 * fit.solving_seconds;
  if (!fit.solve.trace.empty()) {
    record.gap = fit.solve.trace.back().gap;
    record.minimiser_distance = fit.solve.trace.back().distance;
  }
  return record;
}

FrameRecord with_plane(FrameRecord record, const Consensus& consensus, const kitti::Frame& frame) {
  const auto plane = kitti::plane_in_file(consensus.mean, frame);
  if (!plane) return with_error(std::move(record), FrameStatus::failed, "the plane at infinity");
  record.w = consensus.mean;
  record.plane = *plane;
  record.consensus_error = consensus.worst_deviation;
  return record;
}

FrameRecord with_error(FrameRecord record, FrameStatus status, const std::string& why) {
  record.status = std::max(record.status, status);
  if (record.error.empty()) record.error = why;
  return record;
}

}  // namespace roadplane
