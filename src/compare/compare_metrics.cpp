#include "compare_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "roadplane/compare/band.hpp"

namespace roadplane {
namespace {

bool needs_truth(const Metric& metric) {
  constexpr std::array kOfTruth{"recovery_error", "recovery_error_worst_agent", "f1", "iou"};
  return std::find(kOfTruth.begin(), kOfTruth.end(), metric.key) != kOfTruth.end();
}

/// What a run that failed has of it.
std::optional<double> worst_of(const Metric& metric) {
  if (metric.key == "f1" || metric.key == "iou") return 0;
  if (needs_truth(metric) || metric.key.starts_with("stationarity") ||
      metric.key == "minimiser_distance") {
    return std::numeric_limits<double>::infinity();
  }
  return std::nullopt;
}

}  // namespace

std::span<const Metric* const> compared_metrics() {
  static const std::vector<const Metric*> compared{&metric("recovery_error"),
                                                   &metric("recovery_error_worst_agent"),
                                                   &metric("minimiser_distance"),
                                                   &metric("stationarity_gap"),
                                                   &metric("stationarity.gradient"),
                                                   &metric("stationarity.consensus"),
                                                   &metric("stationarity.feasibility"),
                                                   &metric("f1"),
                                                   &metric("iou"),
                                                   &metric("messages_per_link"),
                                                   &metric("rounds"),
                                                   &metric("bytes_per_agent"),
                                                   &metric("samples"),
                                                   &metric("ms.start"),
                                                   &metric("ms.solve")};
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

std::string Paired::text() const {
  if (!std::isfinite(median)) return "failed";
  return fmt::format("{:.2g} times ({:.2g} to {:.2g})", median, low, high);
}

std::optional<Paired> against_vrsgt(const Comparison& comparison, std::size_t method,
                                    const Metric& metric) {
  const auto& methods = comparison.plan.methods;
  const auto vrsgt = std::find_if(methods.begin(), methods.end(), [&](const CompareMethod& m) {
    return m.solver == VrsgtOptions::kName && m.objective == methods[method].objective;
  });
  if (vrsgt == methods.end() || &*vrsgt == &methods[method]) return std::nullopt;
  const auto reference = static_cast<std::size_t>(vrsgt - methods.begin());
  std::vector<double> ratios;
  for (const FrameComparison& frame : comparison.frames) {
    if (frame.stopped) continue;
    for (const CompareRecord& own : frame.records) {
      if (own.method != method) continue;
      const auto base =
          std::find_if(frame.records.begin(), frame.records.end(), [&](const CompareRecord& other) {
            return other.method == reference && other.seed == own.seed;
          });
      const auto below = base != frame.records.end() ? metric.number(base->record) : std::nullopt;
      if (!below || !(*below > 0)) continue;
      const bool failed = own.record.status == FrameStatus::failed;
      const auto above = metric.number(own.record);
      if (failed || above) {
        ratios.push_back(failed ? std::numeric_limits<double>::infinity() : *above / *below);
      }
    }
  }
  if (ratios.empty()) return std::nullopt;
  return Paired{ratios.size(), quantile(ratios, 0.5), quantile(ratios, 0.1), quantile(ratios, 0.9)};
}

bool comes_to_rest(const Comparison& comparison, std::size_t method) {
  for (const FrameComparison& frame : comparison.frames) {
    for (const CompareRecord& run : frame.records) {
      if (run.method != method) continue;
      if (run.record.termination == to_string(Termination::converged)) return true;
    }
  }
  return false;
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
  const auto used = spread_of(std::move(steps));
  return chosen.settings.to_string(chosen.has_step() && used ? used->median : 0);
}

bool is_budget(const Comparison& comparison, std::size_t method, const Metric& metric) {
  return (metric.key == "rounds" || metric.key == "messages_per_link") &&
         !comparison.plan.methods[method].is_baseline() && !comes_to_rest(comparison, method);
}

std::string short_name(const CompareMethod& method) {
  return method.is_baseline() ? method.name : method.name.substr(0, method.name.rfind(", "));
}

std::string number_text(const Metric& metric, double value) {
  return std::isfinite(value) ? metric.text(value) : "failed";
}

std::string failed_text(const RunCount& count) {
  return fmt::format("{} of {}", count.failed, count.runs);
}

}  // namespace roadplane
