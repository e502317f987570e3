#include "roadplane/pipeline/segment_scan.hpp"

#include <fmt/format.h>

#include <limits>

#include "frame_ground.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/stopwatch.hpp"

namespace roadplane {
namespace {

/// Agents whose hyperplanes differ by more have not agreed, however the solve ended.
constexpr double kAgreement = 1e-3;

constexpr const char* kNeeded = "points that hold a plane";

/// The plane, and what it took.
struct FoundPlane {
  PlaneFit fit;
  bool tracked = false;
  double ms = 0;  ///< all of it, on this process's clock
  std::optional<std::string> why_none;
  Consensus consensus;  ///< if there is a plane
};

/// The labels of the hosted agents, and what they took.
struct FoundLabels {
  Ground ground;
  Traffic sent;
  double ms = 0;
};

/// Together the agents agree on the plane, ...
FoundPlane agree_on_plane(const ScanPart& scan, const SegmentPlan& plan, Channel& channel,
                          const PlaneFinder& track) {
  Stopwatch watch;
  const auto clouds = hosted_clouds(scan.points, scan.shards, plan, channel);
  FoundPlane found;
  found.tracked = track != nullptr;
  found.fit = track ? track(channel, clouds, plan.plane) : find_plane(channel, clouds, plan.plane);
  found.ms = watch.lap_ms();
  found.why_none = why_no_plane(found.fit);  // all agents know
  if (!found.why_none) found.consensus = observe_consensus(channel, found.fit.w);
  return found;
}

/// ... and each labels its own points with its own plane, or the ground that it finds over it.
FoundLabels label(const ScanPart& scan, const SegmentPlan& plan, Channel& channel,
                  std::span<const Eigen::Vector4d> planes, Residuals residuals) {
  Stopwatch watch;
  const Traffic before = channel.traffic();
  Ground ground = label_share(channel, scan.points, scan.shards, planes, plan, residuals);
  return {std::move(ground), channel.traffic() - before, watch.lap_ms()};
}

FrameRecord record_of_plane(const ScanPart& scan, const SegmentPlan& plan,
                            const FoundPlane& found) {
  FrameRecord record = with_fit(record_of(scan.frame, scan.scan_points), found.fit, plan.network);
  const PlaneFit& fit = found.fit;
  record.ms.load = scan.load_ms;
  record.ms.start +=
      found.ms - 1e3 * (fit.start_seconds + fit.solving_seconds + fit.solve.observing_seconds);
  if (found.tracked) record.began = to_string(fit.began);
  if (found.why_none) {
    const InputError error(scan.frame.scan.string(), kNeeded, *found.why_none);
    return with_error(std::move(record), FrameStatus::failed, error.what());
  }
  record = with_plane(std::move(record), found.consensus, scan.frame);
  const double apart = found.consensus.worst_deviation;
  if (record.status == FrameStatus::failed || apart <= kAgreement) return record;
  return with_error(
      std::move(record), FrameStatus::incomplete,
      fmt::format("{}: expected agents that agree to {:g}, found a difference of {:.1e}",
                  scan.frame.scan.string(), kAgreement, apart));
}

/// Made at the end, of values that nobody changes on the way. All processes take part.
FrameRecord record_of_all(FrameRecord of_plane, const FoundLabels& labels, const Channel& channel,
                          const SegmentPlan& plan) {
  FrameRecord record = with_ground(std::move(of_plane), channel, labels.ground, labels.sent, plan);
  record.inliers = labels.ground.labels.count();
  record.ms.label = labels.ms;
  return record;
}

}  // namespace

std::span<const HomogeneousCloud> hosted_clouds(const PointRows& points, const Shards& shards,
                                                const SegmentPlan& plan, const Channel& channel) {
  const HomogeneousCloud::Sample sample{columns_enough(plan.plane, plan.network.agents()),
                                        static_cast<std::uint32_t>(channel.hosted().front())};
  thread_local std::vector<HomogeneousCloud> clouds;  // their memory serves all frames of a job
  assign_clouds(points, shards, sample, clouds);
  return clouds;
}

Segmentation segment_points(const ScanPart& scan, const SegmentPlan& plan, Channel& channel,
                            Residuals residuals, const PlaneFinder& track) {
  FoundPlane found = agree_on_plane(scan, plan, channel, track);
  FrameRecord of_plane = record_of_plane(scan, plan, found);
  if (of_plane.status == FrameStatus::failed) {
    return {std::move(of_plane), found.why_none.value_or(""), {}, {}, {}, {}};
  }
  FoundLabels labels = label(scan, plan, channel, found.fit.w, residuals);
  return {record_of_all(std::move(of_plane), labels, channel, plan),
          "",
          std::move(found.consensus),
          std::move(labels.ground.labels),
          std::move(labels.ground.reliefs),
          std::move(found.fit.solve.trace)};
}

Segmentation segment_scan(const PointRows& points, const SegmentPlan& plan, const std::string& name,
                          const PlaneFinder& track) {
  if (points.empty() || points.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError(name, "1 to 4294967295 points", std::to_string(points.size()));
  }
  Stopwatch watch;
  kitti::Frame frame;
  frame.scan = name;
  LocalChannel channel(plan.network);
  const Shards shards = make_shards(points, plan.shards, plan.network.agents(), plan.seed);
  Segmentation result = segment_points({frame, points, shards, points.size(), watch.lap_ms()}, plan,
                                       channel, Residuals::kept, track);
  result.record.name = name;
  if (result.record.status == FrameStatus::failed) {
    throw InputError(name, kNeeded,
                     result.why_none.empty() ? result.record.error : result.why_none);
  }
  return result;
}

}  // namespace roadplane
