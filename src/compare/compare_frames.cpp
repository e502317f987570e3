#include "roadplane/compare/compare_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "compare_pictures.hpp"
#include "compare_run.hpp"
#include "compare_tune.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/evaluation/recovery_error.hpp"

namespace roadplane {
namespace {

MethodCurve curve_of(std::size_t method, const SharedFrame& shared, MethodRun& run) {
  MethodCurve curve{method, std::move(run.trace), {}};
  if (!shared.truth) return curve;
  for (const TraceEntry& entry : curve.trace) {
    curve.recovery_error.push_back(recovery_error(entry.mean, shared.truth->hyperplane));
  }
  return curve;
}

/// All methods with one seed, from the same shards; fewer if stopped.
std::vector<MethodRun> run_all(const ComparePlan& plan, const SharedFrame& shared,
                               std::uint64_t seed, bool first, const CompareProgress& progress,
                               const std::atomic<bool>& stop, FrameComparison& comparison) {
  std::vector<MethodRun> runs;
  for (std::size_t m = 0; m < plan.methods.size() && !stop; ++m) {
    MethodRun run = run_method(plan, plan.methods[m], seed, shared, first);
    const FrameRecord& r = run.record;
    progress(fmt::format(
        "{} {}, seed {}: {}", comparison.name, plan.methods[m].name, seed,
        r.status == FrameStatus::failed ? r.error
        : r.score ? fmt::format("error {:.2e}, {}", r.score->recovery_error, r.termination)
                  : r.termination));
    comparison.records.push_back({m, seed, r});
    if (first && !run.trace.empty()) comparison.curves.push_back(curve_of(m, shared, run));
    runs.push_back(std::move(run));
  }
  return runs;
}

void compare_frame(const ComparePlan& plan, const kitti::Frame& frame,
                   const std::filesystem::path& folder, const CompareProgress& progress,
                   const std::atomic<bool>& stop, FrameComparison& comparison) {
  for (int k = 0; k < plan.config.repeat; ++k) {
    const std::uint64_t seed = plan.config.common.seed + static_cast<std::uint64_t>(k);
    const SegmentPlan common = plan.segment_plan(plan.methods.front(), seed);
    const SharedFrame shared = share_frame(frame, common);
    comparison.points = shared.scan.size();
    if (shared.truth) comparison.truth = shared.truth->source;
    const auto runs = run_all(plan, shared, seed, k == 0, progress, stop, comparison);
    if (runs.size() < plan.methods.size()) {
      comparison.stopped = true;
      return;
    }
    if (k == 0 && plan.curves) write_curves(plan, common.network.graph, frame, folder, comparison);
    if (k == 0 && plan.panels) write_panel(plan, shared, runs, folder, comparison);
  }
}

}  // namespace

std::size_t Comparison::frames_done() const {
  return static_cast<std::size_t>(std::count_if(
      frames.begin(), frames.end(), [](const FrameComparison& frame) { return !frame.stopped; }));
}

std::vector<kitti::Frame> default_tune_frames(const std::vector<kitti::Frame>& all,
                                              const std::vector<kitti::Frame>& compared) {
  constexpr std::size_t kMost = 3;
  std::set<std::string> taken;
  for (const kitti::Frame& frame : compared) taken.insert(frame.name());
  std::vector<kitti::Frame> others;
  for (const kitti::Frame& frame : all) {
    if (!taken.contains(frame.name())) others.push_back(frame);
  }
  if (others.empty()) {
    throw FieldError("tune", "frames beside those of {frames} to tune on", "none left");
  }
  if (others.size() <= kMost) return others;
  std::vector<kitti::Frame> chosen;
  for (std::size_t k = 0; k < kMost; ++k) {
    chosen.push_back(others[k * (others.size() - 1) / (kMost - 1)]);
  }
  return chosen;
}

Comparison compare_frames(const ComparePlan& plan, const std::vector<kitti::Frame>& frames,
                          const std::vector<kitti::Frame>& tune_frames,
                          const std::filesystem::path& folder, const CompareProgress& progress,
                          const std::atomic<bool>& stop) {
  Comparison comparison{plan, {}, {}, {}, frames.size()};
  if (plan.config.tune) {
    for (const kitti::Frame& frame : tune_frames) comparison.tune_frames.push_back(frame.name());
    comparison.tunings = tune_steps(comparison.plan, tune_frames, progress, stop);
  }
  for (const kitti::Frame& frame : frames) {
    if (stop) break;
    FrameComparison& own = comparison.frames.emplace_back();
    own.name = frame.name();
    own.sequence = frame.sequence;
    own.frame = frame.number;
    try {
      compare_frame(comparison.plan, frame, folder, progress, stop, own);
    } catch (const std::exception& error) {  // whatever it is, the other frames go on
      own.error = error.what();
      progress(own.name + ": failed: " + own.error);
    }
  }
  return comparison;
}

}  // namespace roadplane
