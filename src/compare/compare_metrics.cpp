#include "compare_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace roadplane {
namespace {

using Record = FrameRecord;
using Value = std::optional<double>;

Value label(const Record& r, double FrameScore::Labels::*member) {
  if (!r.score || !r.score->labels) return std::nullopt;
  return *r.score->labels.*member;
}

constexpr Metric kMetrics[] = {
    {"recovery_error", "recovery error", "{:.2e}",
     [](const Record& r) { return r.score ? Value(r.score->recovery_error) : Value(); }, true},
    {"recovery_error_worst_agent", "worst agent", "{:.2e}",
     [](const Record& r) { return r.score ? Value(r.score->recovery_error_worst_agent) : Value(); },
     false},
    {"stationarity_gap", "StaGap", "{:.1e}", [](const Record& r) { return Value(r.gap.total()); },
     false},
    {"gradient", "gradient", "{:.1e}", [](const Record& r) { return Value(r.gap.gradient); },
     false},
    {"consensus", "consensus", "{:.1e}", [](const Record& r) { return Value(r.gap.consensus); },
     false},
    {"feasibility", "feasibility", "{:.1e}",
     [](const Record& r) { return Value(r.gap.feasibility); }, false},
    {"f1", "F1", "{:.3f}", [](const Record& r) { return label(r, &FrameScore::Labels::f1); }, true},
    {"iou", "IoU", "{:.3f}", [](const Record& r) { return label(r, &FrameScore::Labels::iou); },
     true},
    {"rounds", "rounds", "{:.0f}",
     [](const Record& r) { return Value(static_cast<double>(r.rounds)); }, false},
    {"bytes_per_agent", "bytes per agent", "{:.3g}",
     [](const Record& r) { return Value(r.bytes_per_agent); }, false},
    {"samples", "samples", "{:.3g}",
     [](const Record& r) { return Value(static_cast<double>(r.samples)); }, false},
    {"ms", "ms", "{:.2f}", [](const Record& r) { return Value(r.ms.whiten + r.ms.solve); }, true},
};

}  // namespace

std::string Metric::text(const std::optional<double>& number) const {
  return number ? fmt::format(fmt::runtime(format), *number) : "-";
}

std::span<const Metric> metrics() { return kMetrics; }

const Metric& metric(const std::string& key) {
  const auto* found = std::find_if(std::begin(kMetrics), std::end(kMetrics),
                                   [&](const Metric& m) { return m.key == key; });
  if (found == std::end(kMetrics)) throw std::invalid_argument("no metric " + key);
  return *found;
}

std::optional<Spread> over_seeds(const Comparison& comparison, const FrameComparison& frame,
                                 std::size_t method, const Metric& metric) {
  if (comparison.plan.methods[method].is_baseline() && !metric.for_baselines) return std::nullopt;
  std::vector<double> values;
  for (const CompareRecord& run : frame.records) {
    if (run.method != method || run.record.status == FrameStatus::failed) continue;
    if (const auto value = metric.value(run.record)) values.push_back(*value);
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
