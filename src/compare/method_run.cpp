#include "roadplane/compare/method_run.hpp"

#include <algorithm>

#include "roadplane/base/input_error.hpp"
#include "roadplane/base/stopwatch.hpp"
#include "roadplane/baseline/registry.hpp"
#include "roadplane/pipeline/frame_path.hpp"
#include "roadplane/pipeline/frame_truth.hpp"
#include "roadplane/pipeline/segment_scan.hpp"

namespace roadplane {
namespace {

/// The record of a method that has found a plane, with its labels.
MethodRun labelled(FrameRecord record, const Consensus& consensus, PointLabels labels,
                   const SharedFrame& shared, const SegmentPlan& plan) {
  record = with_plane(std::move(record), consensus, shared.frame);
  if (record.status == FrameStatus::failed) return {record};
  record.target = to_string(plan.target);
  record.threshold = plan.threshold.to_string();
  record.threshold_value = plan.threshold.value;
  record.inliers = labels.count();
  if (shared.truth) record.score = score_of(consensus, labels, *shared.truth);
  return {record, {}, std::move(labels.road)};
}

}  // namespace

SharedFrame share_frame(const kitti::Frame& frame, const SegmentPlan& plan) {
  SharedFrame shared{frame, kitti::load_scan(frame), {}, {}, {}};
  const Stopwatch watch;
  shared.shards = make_shards(shared.scan, plan.shards, plan.network.agents(), plan.seed);
  shared.clouds = clouds_of(shared.scan, shared.shards);
  shared.share_ms = watch.ms();
  shared.truth = find_truth(frame, shared.scan, plan.truth, plan.target, plan.scoring);
  return shared;
}

std::size_t largest_shard(const SharedFrame& shared) {
  std::size_t most = 0;
  for (const HomogeneousCloud& cloud : shared.clouds) most = std::max(most, cloud.size());
  return most;
}

MethodRun run_solver(const SharedFrame& shared, const SegmentPlan& plan) {
  LocalChannel channel(plan.network);
  Segmentation found =
      segment_points({shared.frame, shared.scan, shared.shards, shared.scan.size()}, plan, channel);
  if (!found.why_none.empty()) found.record.error = found.why_none;
  if (found.record.status != FrameStatus::failed && shared.truth) {
    found.record.score = score_of(found.consensus, found.labels, *shared.truth);
  }
  return {std::move(found.record), std::move(found.trace), std::move(found.labels.road)};
}

MethodRun run_baseline(const SharedFrame& shared, std::string_view name, const SegmentPlan& plan) {
  BaselineOptions options;
  options.ransac.seed = static_cast<std::uint32_t>(plan.seed);
  const BaselineResult result = roadplane::run_baseline(name, shared.scan, options);
  FrameRecord record = record_of(shared.frame, shared.scan.size());
  record.iterations = result.iterations;
  record.ms.solve = 1e3 * result.seconds;
  record.termination = "completed";
  if (!result.found()) {
    return {with_error(std::move(record), FrameStatus::failed, "no plane: " + result.degeneracy)};
  }
  return labelled(std::move(record), consensus_of({result.w}),
                  label_points(shared.scan, result.w, plan.threshold), shared, plan);
}

}  // namespace roadplane
