#include "compare_metrics.hpp"

namespace roadplane {

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

std::optional<Spread> over_frames(const Comparison& comparison, std::size_t method,
                                  const Metric& metric) {
  std::vector<double> values;
  for (const FrameComparison& frame : comparison.frames) {
    if (frame.stopped) continue;  // medians over other frames for some methods would not be fair
    if (const auto seeds = over_seeds(comparison, frame, method, metric)) {
      values.push_back(seeds->mean);
    }
  }
  return spread_of(std::move(values));
}

}  // namespace roadplane
