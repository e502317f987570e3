#include "compare_tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "climb.hpp"
#include "compare_run.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/parallel_for.hpp"

namespace roadplane {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TuningTrial try_settings(const MethodSettings& settings, const ComparePlan& plan,
                         CompareMethod method, const std::vector<SharedFrame>& frames) {
  constexpr double kLeastGap = 1e-40;  // exact methods may reach 0
  method.settings = settings;
  TuningTrial trial{settings, 0, 0, true};
  double sum = 0;
  for (const SharedFrame& shared : frames) {
    const FrameRecord record =
        run_method(plan, method, plan.config.common.seed, shared, false).record;
    if (record.status == FrameStatus::failed || !std::isfinite(record.gap.total())) {
      return {settings, kInfinity, 0, false};
    }
    const bool rests = record.termination == to_string(Termination::converged);
    trial.rests = trial.rests && (rests || record.gap.total() <= ComparePlan::kSolvedGap);
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

std::string verdict_of(const CompareMethod& method, const Tuning& tuning) {
  if (!tuning.best) {
    return fmt::format("tuned {}: nothing that was tried works, the default stays", method.name);
  }
  const auto trial = std::find_if(tuning.trials.begin(), tuning.trials.end(),
                                  [&](const TuningTrial& t) { return t.settings == *tuning.best; });
  return fmt::format("tuned {}: {}, StaGap {:.1e} after {:.0f} rounds ({} trials{})", method.name,
                     tuning.best->to_string(0), trial->gap, trial->rounds, tuning.trials.size(),
                     tuning.edge.empty() ? "" : ", at the edge: " + tuning.edge);
}

}  // namespace

std::vector<Tuning> tune_methods(ComparePlan& plan, const std::vector<kitti::Frame>& frames,
                                 const CompareProgress& progress, const std::atomic<bool>& stop) {
  const std::vector<SharedFrame> shared = good_frames(plan, frames, progress);
  std::vector<std::size_t> solvers;
  for (std::size_t m = 0; m < plan.methods.size(); ++m) {
    if (!plan.methods[m].is_baseline()) solvers.push_back(m);
  }
  std::vector<std::optional<Tuning>> found(solvers.size());
  parallel_for(plan.config.jobs, solvers.size(), [&](std::size_t k) {
    if (stop) return;
    const CompareMethod& method = plan.methods[solvers[k]];
    Climb climb(plan, method, [&](const MethodSettings& settings) {
      return try_settings(settings, plan, method, shared);
    });
    Tuning tuning = climb(stop);
    if (stop) return;  // half tuned is not tuned
    tuning.method = solvers[k];
    progress(verdict_of(method, tuning));
    found[k] = std::move(tuning);
  });
  std::vector<Tuning> tunings;
  for (auto& tuning : found) {
    if (!tuning) continue;
    if (tuning->best) plan.methods[tuning->method].settings = *tuning->best;
    tunings.push_back(std::move(*tuning));
  }
  return tunings;
}

}  // namespace roadplane
