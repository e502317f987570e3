#include "roadplane/compare/method_run.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "roadplane/base/input_error.hpp"
#include "roadplane/baseline/registry.hpp"
#include "roadplane/pipeline/frame_score.hpp"
#include "roadplane/pipeline/frame_truth.hpp"

namespace roadplane {
namespace {

MethodRun begin_run(const SharedFrame& shared) {
  FrameRecord record;
  record.sequence = shared.frame.sequence;
  record.name = shared.frame.name();
  record.frame = shared.frame.number;
  record.points = shared.scan.size();
  return {record};
}

void set_failed(const std::string& why, FrameRecord& record) {
  record.status = FrameStatus::failed;
  record.error = why;
}

/// Labels and scores the hyperplanes `w` of the agents, or the one of a baseline.
void judge(const SharedFrame& shared, const SegmentPlan& plan, std::span<const Eigen::Vector4d> w,
           MethodRun& run) {
  FrameRecord& record = run.record;
  for (const Eigen::Vector4d& agent : w) record.w += agent;
  record.w.normalize();
  for (const Eigen::Vector4d& agent : w) {
    record.consensus_error = std::max(record.consensus_error, (agent - record.w).norm());
  }
  const auto plane = Plane::from_hyperplane(record.w);
  if (!plane) return set_failed("the plane at infinity", record);
  record.plane = *plane;
  // Positive on the sensor's side, which is above the road also if the sensor hangs upside down.
  const Eigen::Vector4d up = record.w(3) < 0 ? Eigen::Vector4d(-record.w) : record.w;
  std::vector<float> distances;
  residuals(shared.scan, up, plan.threshold.unit, distances);
  record.threshold = plan.threshold.to_string();
  record.threshold_value =
      plan.threshold.automatic ? auto_threshold(histogram_below(distances)) : plan.threshold.value;
  record.inliers = label_road(distances, record.threshold_value, run.road);
  if (shared.truth) record.score = score_frame(*shared.truth, w, record, distances, run.road);
}

}  // namespace

SharedFrame share_frame(const kitti::Frame& frame, const SegmentPlan& plan) {
  SharedFrame shared{frame, kitti::load_scan(frame), {}, {}, {}};
  const auto begin = std::chrono::steady_clock::now();
  const int agents = plan.network.agents();
  shared.shards = make_shards(shared.scan, plan.shards, agents, plan.seed);
  shared.clouds.resize(static_cast<std::size_t>(agents));
  std::vector<int> all(static_cast<std::size_t>(agents));
  std::iota(all.begin(), all.end(), 0);
  assign_shards(shared.scan, shared.shards, all, shared.clouds);
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - begin;
  shared.share_ms = elapsed.count();
  shared.truth = find_truth(frame, shared.scan, plan.truth);
  return shared;
}

MethodRun run_solver(const SharedFrame& shared, const SegmentPlan& plan) {
  MethodRun run = begin_run(shared);
  LocalChannel channel(plan.network);
  DpcpResult result = solve_dpcp(channel, shared.clouds, plan.dpcp);
  run.record.termination = to_string(result.solve.termination);
  run.record.ms.whiten = shared.share_ms;
  record_solve(result, plan.network, run.record);
  run.trace = std::move(result.solve.trace);
  if (result.solve.termination == Termination::degenerate_input) {
    set_failed("no plane: " + result.degeneracy, run.record);
  } else if (result.solve.termination == Termination::diverged) {
    set_failed("diverged with step " + std::to_string(result.step), run.record);
  } else {
    judge(shared, plan, result.w, run);
  }
  return run;
}

MethodRun run_baseline(const SharedFrame& shared, std::string_view name, const SegmentPlan& plan) {
  MethodRun run = begin_run(shared);
  BaselineOptions options;
  options.ransac.seed = static_cast<std::uint32_t>(plan.seed);
  const BaselineResult result = roadplane::run_baseline(name, shared.scan, options);
  run.record.iterations = result.iterations;
  run.record.ms.solve = 1e3 * result.seconds;
  run.record.termination = "completed";
  if (result.found()) {
    judge(shared, plan, std::span(&result.w, 1), run);
  } else {
    set_failed("no plane: " + result.degeneracy, run.record);
  }
  return run;
}

}  // namespace roadplane
