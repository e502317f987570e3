#include <cmath>
#include <nlohmann/json.hpp>

#include "compare_metrics.hpp"
#include "roadplane/compare/compare_tables.hpp"

namespace roadplane {
namespace {

using nlohmann::json;

/// JSON knows no infinity.
json finite(double value) { return std::isfinite(value) ? json(value) : json(); }

json method_json(const CompareMethod& method) {
  if (method.is_baseline()) return {{"name", method.name}, {"baseline", method.baseline}};
  return {{"name", method.name},
          {"solver", method.solver},
          {"objective", method.objective},
          {"settings", to_json(method.settings)}};
}

json tuning_json(const Comparison& comparison) {
  if (comparison.tunings.empty()) return nullptr;
  json results = json::array();
  for (const Tuning& tuning : comparison.tunings) {
    json trials = json::array();
    for (const TuningTrial& trial : tuning.trials) {
      trials.push_back({{"settings", to_json(trial.settings)},
                        {"score", finite(trial.score)},
                        {"minimiser_distance", finite(trial.distance)}});
    }
    results.push_back({{"method", comparison.plan.methods[tuning.method].name},
                       {"best", tuning.best ? to_json(*tuning.best) : json()},
                       {"edge", tuning.edge},
                       {"trials", trials}});
  }
  return {{"frames", comparison.tune_frames}, {"results", results}};
}

json curve_json(const Comparison& comparison, const MethodCurve& curve) {
  json columns = {{"method", comparison.plan.methods[curve.method].name}};
  for (const TraceEntry& e : curve.trace) {
    columns["iteration"].push_back(e.iteration);
    columns["messages"].push_back(e.traffic.messages_per_link);
    columns["rounds"].push_back(e.traffic.rounds);
    columns["samples"].push_back(e.samples);
    columns["seconds"].push_back(e.seconds);
    columns["stationarity_gap"].push_back(e.gap.total());
    columns["consensus"].push_back(e.gap.consensus);
    columns["minimiser_distance"].push_back(e.distance ? json(*e.distance) : json());
  }
  if (!curve.recovery_error.empty()) columns["recovery_error"] = curve.recovery_error;
  return columns;
}

json frame_json(const Comparison& comparison, const FrameComparison& frame) {
  json runs = json::array();
  for (const CompareRecord& run : frame.records) {
    runs.push_back(to_json(run.record));
    runs.back()["method"] = comparison.plan.methods[run.method].name;
    runs.back()["seed"] = run.seed;
  }
  json curves = json::array();
  for (const MethodCurve& curve : frame.curves) {  // of the others: runs/ and the pictures' bands
    if (curve.seed != comparison.plan.config.common.seed) continue;
    curves.push_back(curve_json(comparison, curve));
  }
  return {{"name", frame.name},   {"sequence", frame.sequence},
          {"frame", frame.frame}, {"points", frame.points},
          {"truth", frame.truth}, {"error", frame.error},
          {"panel", frame.panel}, {"curve_pictures", frame.curve_pictures},
          {"curves", curves},     {"runs", runs}};
}

json spread_json(const std::optional<Spread>& spread) {
  if (!spread) return nullptr;
  return {{"median", finite(spread->median)},       {"least", finite(spread->least)},
          {"most", finite(spread->most)},           {"mean", finite(spread->mean)},
          {"deviation", finite(spread->deviation)}, {"count", spread->count}};
}

json paired_json(const Comparison& comparison, std::size_t method) {
  json ratios = json::object();
  for (const char* key : {"recovery_error", "minimiser_distance", "messages_per_link"}) {
    if (const auto paired = against_vrsgt(comparison, method, metric(key))) {
      ratios[key] = {{"median", finite(paired->median)},
                     {"low", finite(paired->low)},
                     {"high", finite(paired->high)},
                     {"pairs", paired->pairs}};
    }
  }
  return ratios;
}

}  // namespace

json comparison_json(const Comparison& comparison) {
  json methods = json::array();
  json summary = json::array();
  for (std::size_t m = 0; m < comparison.plan.methods.size(); ++m) {
    methods.push_back(method_json(comparison.plan.methods[m]));
    const RunCount count = count_runs(comparison, m);
    json& row = summary.emplace_back(json{{"method", comparison.plan.methods[m].name},
                                          {"settings", settings_text(comparison, m)},
                                          {"runs", count.runs},
                                          {"failed", count.failed}});
    for (const Metric* metric : compared_metrics()) {
      row[std::string(metric->short_key())] = spread_json(over_runs(comparison, m, *metric));
    }
    row["to_vrsgt"] = paired_json(comparison, m);
  }
  json frames = json::array();
  for (const FrameComparison& frame : comparison.frames) {
    frames.push_back(frame_json(comparison, frame));
  }
  return {{"config", to_json(comparison.plan.config)},
          {"protocol", protocol_of(comparison)},
          {"scoring", scoring_of(comparison)},
          {"findings", findings_of(comparison)},
          {"methods", methods},
          {"tuning", tuning_json(comparison)},
          {"summary", summary},
          {"curve_pictures", comparison.curve_pictures},
          {"frames", frames}};
}

}  // namespace roadplane
