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

FrameRecord with_agreement(FrameRecord record, const Consensus& consensus,
                           const kitti::Frame& frame) {
  record = with_plane(std::move(record), consensus, frame);
  if (record.status == FrameStatus::failed || consensus.worst_deviation <= kAgreement)
    return record;
  return with_error(
      std::move(record), FrameStatus::incomplete,
      fmt::format("{}: expected agents that agree to {:g}, found a difference of {:.1e}",
                  frame.scan.string(), kAgreement, consensus.worst_deviation));
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

Segmentation segment_points(const PointRows& points, const Shards& shards, FrameRecord record,
                            const kitti::Frame& frame, const SegmentPlan& plan, Channel& channel,
                            Residuals residuals, const PlaneFinder& track) {
  // Together the agents agree on the plane.
  Stopwatch watch;
  const auto clouds = hosted_clouds(points, shards, plan, channel);
  PlaneFit fit =
      track ? track(channel, clouds, plan.plane) : find_plane(channel, clouds, plan.plane);
  if (track) record.began = to_string(fit.began);
  record.ms.start = watch.lap_ms() -
                    1e3 * (fit.start_seconds + fit.solving_seconds + fit.solve.observing_seconds);
  Segmentation result;
  result.record = with_fit(std::move(record), fit, plan.network);
  if (const auto why = why_no_plane(fit)) {  // all agents know
    const InputError error(frame.scan.string(), kNeeded, *why);
    result.record = with_error(std::move(result.record), FrameStatus::failed, error.what());
    result.why_none = *why;
    return result;
  }
  result.consensus = observe_consensus(channel, fit.w);
  result.record = with_agreement(std::move(result.record), result.consensus, frame);
  if (result.record.status == FrameStatus::failed) return result;
  result.trace = std::move(fit.solve.trace);

  // Every agent labels its own points with its own plane, or the ground that it finds over it.
  watch.lap_ms();
  const Traffic before = channel.traffic();
  Ground ground = label_share(channel, points, shards, fit.w, plan, residuals);
  const Traffic sent = channel.traffic() - before;
  result.record.inliers = ground.labels.count();
  result.record.ms.label = watch.lap_ms();
  result.record = with_ground(std::move(result.record), channel, ground, sent, plan);
  result.labels = std::move(ground.labels);
  result.reliefs = std::move(ground.reliefs);
  return result;
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
  FrameRecord record = record_of(frame, points.size());
  record.name = name;
  record.ms.load = watch.lap_ms();
  Segmentation result = segment_points(points, shards, std::move(record), frame, plan, channel,
                                       Residuals::kept, track);
  if (result.record.status == FrameStatus::failed) {
    throw InputError(name, kNeeded,
                     result.why_none.empty() ? result.record.error : result.why_none);
  }
  return result;
}

}  // namespace roadplane
