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

/// A distance below this is as good as any: sums in single precision know no smaller one.
double at_least_solved(double distance) { return std::max(1e-9, distance); }

/// The budget that a run had; by the paper's protocol what its epochs took.
Budget spent_on(const ComparePlan& plan, const CompareMethod& method, const SharedFrame& shared,
                const FrameRecord& record) {
  if (!plan.paper() || method.objective != "l3") {
    return budget_of(plan, method, plan.config.common.seed, shared);
  }
  return {Budget::Kind::messages, static_cast<double>(record.messages_per_link)};
}

TuningTrial try_settings(const MethodSettings& settings, const ComparePlan& plan,
                         CompareMethod method, const std::vector<SharedFrame>& frames) {
  method.settings = settings;
  TuningTrial trial{settings};
  const auto count = static_cast<double>(frames.size());
  const std::uint64_t seed = plan.config.common.seed;
  const Graph graph = plan.segment_plan(method, seed).network.graph;
  double sum = 0;
  for (const SharedFrame& shared : frames) {
    const MethodRun run = run_method(plan, method, seed, shared, true);
    const auto far = approach(run.trace, spent_on(plan, method, shared, run.record), graph);
    if (run.record.status == FrameStatus::failed || !far) return {settings, kInfinity, kInfinity};
    trial.score += *far / count;
    sum += std::log(at_least_solved(*run.trace.back().distance)) / count;
  }
  trial.distance = std::exp(sum);
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
    return fmt::format(
        "tuned {}: nothing that was tried comes nearer to the minimiser than the start, "
        "the default stays",
        method.name);
  }
  const auto trial = std::find_if(tuning.trials.begin(), tuning.trials.end(),
                                  [&](const TuningTrial& t) { return t.settings == *tuning.best; });
  return fmt::format(
      "tuned {}: {}, {:.1e} from the minimiser at the end, score {:.2f} ({} trials{})", method.name,
      tuning.best->to_string(0), trial->distance, trial->score, tuning.trials.size(),
      tuning.edge.empty() ? "" : ", at the edge: " + tuning.edge);
}

}  // namespace

std::optional<double> approach(std::span<const TraceEntry> trace, const Budget& budget,
                               const Graph& graph) {
  if (trace.empty() || !trace.front().distance || !(*trace.front().distance > 0)) {
    return std::nullopt;
  }
  const double start = at_least_solved(*trace.front().distance);
  const double begin = budget.spent(trace.front(), graph);
  double area = 0;
  double last = 0;
  double at = begin;
  for (const TraceEntry& entry : trace) {
    if (!entry.distance || !std::isfinite(*entry.distance)) return std::nullopt;
    const double next = std::min(budget.amount, budget.spent(entry, graph));
    const double here = std::log10(at_least_solved(*entry.distance) / start);
    area += (next - at) * (last + here) / 2;
    last = here;
    at = next;
  }
  area += std::max(0.0, budget.amount - at) * last;  // at rest until the end
  return budget.amount > begin ? std::optional(area / (budget.amount - begin)) : std::nullopt;
}

std::vector<Tuning> tune_methods(ComparePlan& plan, const std::vector<kitti::Frame>& frames,
                                 const CompareProgress& progress, const std::atomic<bool>& stop) {
  const std::vector<SharedFrame> shared = good_frames(plan, frames, progress);
  std::vector<std::size_t> solvers;
  for (std::size_t m = 0; m < plan.methods.size(); ++m) {
    if (!plan.methods[m].is_baseline()) solvers.push_back(m);
  }
  progress(fmt::format("tuning {} rows on {} frames", solvers.size(), shared.size()));
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
