#include "compare_tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compare_run.hpp"
#include "roadplane/base/field_error.hpp"

namespace roadplane {
namespace {

/// How well a step did on all frames.
struct Trial {
  double gap = 0;     ///< StaGap at the end, geometric mean over the frames; infinite if bad
  double rounds = 0;  ///< mean over the frames

  bool solved() const { return gap <= ComparePlan::kSolvedGap; }
  bool operator<(const Trial& other) const {
    return solved() && other.solved() ? rounds < other.rounds : gap < other.gap;
  }
};

Trial try_step(double step, const ComparePlan& plan, CompareMethod method,
               const std::vector<SharedFrame>& frames) {
  constexpr double kLeastGap = 1e-40;  // exact methods may reach 0
  method.step = step;
  Trial trial;
  double sum = 0;
  for (const SharedFrame& shared : frames) {
    const FrameRecord record =
        run_method(plan, method, plan.config.common.seed, shared, false).record;
    if (record.status == FrameStatus::failed || !std::isfinite(record.gap.total())) {
      return {std::numeric_limits<double>::infinity(), 0};
    }
    sum += std::log(std::max(kLeastGap, record.gap.total()));
    trial.rounds += static_cast<double>(record.rounds) / static_cast<double>(frames.size());
  }
  trial.gap = std::exp(sum / static_cast<double>(frames.size()));
  return trial;
}

std::vector<SharedFrame> good_frames(const ComparePlan& plan,
                                     const std::vector<kitti::Frame>& frames,
                                     const CompareProgress& progress) {
  SegmentPlan common = plan.segment_plan(plan.methods.front(), plan.config.common.seed);
  common.truth = "none";
  std::vector<SharedFrame> shared;
  std::string error;
  for (const kitti::Frame& frame : frames) {
    try {
      shared.push_back(share_frame(frame, common));
    } catch (const std::exception& bad) {
      error = bad.what();
      progress("not tuned on " + frame.name() + ": " + error);
    }
  }
  if (shared.empty()) throw FieldError("tune", "a good frame to tune on", error);
  return shared;
}

}  // namespace

std::vector<Tuning> tune_steps(ComparePlan& plan, const std::vector<kitti::Frame>& frames,
                               const CompareProgress& progress, const std::atomic<bool>& stop) {
  const std::vector<SharedFrame> shared = good_frames(plan, frames, progress);
  std::vector<Tuning> tunings;
  for (std::size_t m = 0; m < plan.methods.size(); ++m) {
    CompareMethod& method = plan.methods[m];
    if (method.is_baseline()) continue;
    Tuning tuning{m, {}, {}, 0};
    Trial best{std::numeric_limits<double>::infinity(), 0};
    for (const double step : plan.steps) {
      if (stop) return tunings;
      const Trial trial = try_step(step, plan, method, shared);
      tuning.stationarity_gap.push_back(trial.gap);
      tuning.rounds.push_back(trial.rounds);
      if (!(trial < best)) continue;
      best = trial;
      tuning.step = step;
    }
    if (tuning.step > 0) {
      method.step = tuning.step;
      progress(fmt::format("tuned {}: step {:g}, StaGap {:.1e} after {:.0f} rounds", method.name,
                           method.step, best.gap, best.rounds));
    } else {
      progress(fmt::format("tuned {}: no step of the grid works, the default stays", method.name));
    }
    tunings.push_back(std::move(tuning));
  }
  return tunings;
}

}  // namespace roadplane
