#include "compare_metrics.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace roadplane {
namespace {

bool needs_truth(const Metric& metric) {
  constexpr std::array kOfTruth{"recovery_error", "recovery_error_worst_agent", "f1", "iou"};
  return std::find(kOfTruth.begin(), kOfTruth.end(), metric.key) != kOfTruth.end();
}

/// What a run that failed has of it.
std::optional<double> worst_of(const Metric& metric) {
  if (metric.key == "f1" || metric.key == "iou") return 0;
  if (needs_truth(metric) || metric.key.starts_with("stationarity")) {
    return std::numeric_limits<double>::infinity();
  }
  return std::nullopt;
}

}  // namespace

std::span<const Metric* const> compared_metrics() {
  static const std::vector<const Metric*> compared{&metric("recovery_error"),
                                                   &metric("recovery_error_worst_agent"),
                                                   &metric("stationarity_gap"),
                                                   &metric("stationarity.gradient"),
                                                   &metric("stationarity.consensus"),
                                                   &metric("stationarity.feasibility"),
                                                   &metric("f1"),
                                                   &metric("iou"),
                                                   &metric("rounds"),
                                                   &metric("bytes_per_agent"),
                                                   &metric("samples"),
                                                   &metric("ms")};
  return compared;
}

std::string scoring_of(const Comparison& comparison) {
  std::vector<const FrameRecord*> records;
  for (const FrameComparison& frame : comparison.frames) {
    for (const CompareRecord& run : frame.records) records.push_back(&run.record);
  }
  return scoring_of(records);
}

std::optional<Spread> over_seeds(const Comparison& comparison, const FrameComparison& frame,
                                 std::size_t method, const Metric& metric) {
  if (comparison.plan.methods[method].is_baseline() && metric.of_agents) return std::nullopt;
  std::vector<double> values;
  for (const CompareRecord& run : frame.records) {
    if (run.method != method || run.record.status == FrameStatus::failed) continue;
    if (const auto value = metric.number(run.record)) values.push_back(*value);
  }
  return spread_of(std::move(values));
}

std::optional<Spread> over_runs(const Comparison& comparison, std::size_t method,
                                const Metric& metric) {
  if (comparison.plan.methods[method].is_baseline() && metric.of_agents) return std::nullopt;
  const std::optional<double> worst = worst_of(metric);
  std::vector<double> values;
  for (const FrameComparison& frame : comparison.frames) {
    if (frame.stopped) continue;  // medians over other frames for some methods would not be fair
    for (const CompareRecord& run : frame.records) {
      if (run.method != method) continue;
      const auto value = run.record.status == FrameStatus::failed
                             ? (frame.truth.empty() && needs_truth(metric) ? std::nullopt : worst)
                             : metric.number(run.record);
      if (value) values.push_back(*value);
    }
  }
  return spread_of(std::move(values));
}

RunCount count_runs(const FrameComparison& frame, std::size_t method) {
  RunCount count;
  for (const CompareRecord& run : frame.records) {
    if (run.method != method) continue;
    ++count.runs;
    if (run.record.status == FrameStatus::failed) ++count.failed;
  }
  return count;
}

RunCount count_runs(const Comparison& comparison, std::size_t method) {
  RunCount count;
  for (const FrameComparison& frame : comparison.frames) {
    if (frame.stopped) continue;
    const RunCount own = count_runs(frame, method);
    count.runs += own.runs;
    count.failed += own.failed;
  }
  return count;
}

std::string settings_text(const Comparison& comparison, std::size_t method) {
  const CompareMethod& chosen = comparison.plan.methods[method];
  if (chosen.is_baseline()) return "-";
  std::vector<double> steps;
  for (const FrameComparison& frame : comparison.frames) {
    if (frame.stopped) continue;
    for (const CompareRecord& run : frame.records) {
      if (run.method == method && run.record.step > 0) steps.push_back(run.record.step);
    }
  }
  const bool has_step = chosen.solver != "gossip-irls";
  const auto used = spread_of(std::move(steps));
  return chosen.settings.to_string(has_step && used ? used->median : 0);
}

}  // namespace roadplane
