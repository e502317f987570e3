#include "roadplane/results/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "metric_json.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/evaluation/statistics.hpp"
#include "roadplane/results/grouped_table.hpp"
#include "roadplane/results/metrics.hpp"

namespace roadplane {
namespace {

using nlohmann::json;
using Row = std::vector<std::string>;

using Columns = std::vector<const Metric*>;

/// What summary.md and summary.tex show.
constexpr const char* kSummary[] = {
    "name",          "points",          "inliers",
    "height_m",      "height_half_m",   "tilt_deg",
    "tilt_half_deg", "recovery_error",  "recovery_error_worst_agent",
    "angle_deg",     "height_error_m",  "f1",
    "scoring",       "consensus_error", "rounds",
    "ms.start",      "ms.solve",        "ended",
    "truth",         "status",          "remark"};

/// What is summed up over the frames.
constexpr const char* kMedians[] = {"recovery_error",
                                    "recovery_error_worst_agent",
                                    "angle_deg",
                                    "height_error_m",
                                    "precision",
                                    "recall",
                                    "f1",
                                    "iou",
                                    "accuracy",
                                    "auc",
                                    "consensus_error",
                                    "rounds",
                                    "bytes_per_agent",
                                    "ms.load",
                                    "ms.start",
                                    "ms.solve",
                                    "ms.label",
                                    "ms.draw"};

Columns columns_of(std::span<const char* const> keys) {
  Columns columns;
  for (const char* key : keys) columns.push_back(&metric(key));
  return columns;
}

bool is_text(const Metric& metric) { return metric.format.form == MetricFormat::Form::text; }

Row headings(const Columns& columns) {
  Row row;
  for (const Metric* metric : columns) row.push_back(metric->heading());
  return row;
}

Row cells(const Columns& columns, const FrameRecord& record) {
  Row row;
  for (const Metric* metric : columns) row.push_back(metric->text(metric->shown(record)));
  return row;
}

std::string joined(const Row& row, const std::string& separator) {
  return fmt::format("{}", fmt::join(row, separator));
}

/// Over the records that have it and did not fail.
json median(std::span<const FrameRecord> records, const Metric& metric) {
  std::vector<double> values;
  for (const FrameRecord& record : records) {
    if (record.status == FrameStatus::failed) continue;
    if (const auto value = metric.number(record)) values.push_back(*value);
  }
  const auto spread = spread_of(std::move(values));
  return spread ? json(spread->median) : json();
}

}  // namespace

std::string trace_csv(std::span<const TraceEntry> trace, const Graph& graph,
                      const std::string& error_name, std::span<const double> errors) {
  std::string text =
      "iteration,stationarity_gap,gradient,consensus,feasibility,objective,rounds,messages,"
      "bytes_per_agent,samples,seconds,links_down,minimiser_distance";
  text += (errors.empty() ? "" : "," + error_name) + "\n";
  for (std::size_t k = 0; k < trace.size(); ++k) {
    const TraceEntry& e = trace[k];
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}", e.iteration, e.gap.total(),
                        e.gap.gradient, e.gap.consensus, e.gap.feasibility, e.objective,
                        e.traffic.rounds, e.traffic.messages(graph),
                        e.traffic.bytes_per_agent(graph), e.samples, e.seconds, e.links_down,
                        e.distance ? fmt::to_string(*e.distance) : "nan");
    text += (errors.empty() ? "" : "," + fmt::to_string(errors[k])) + "\n";
  }
  return text;
}

json aggregate(std::span<const FrameRecord> records) {
  json all = {{"frames", records.size()}, {"ok", 0}, {"incomplete", 0}, {"failed", 0}};
  for (const FrameRecord& record : records) {
    json& count = all[to_string(record.status)];  // "suspect" is there only if a frame is
    count = count.is_null() ? 1 : count.get<int>() + 1;
  }
  std::vector<const FrameRecord*> every;
  for (const FrameRecord& record : records) every.push_back(&record);
  if (const std::string scoring = scoring_of(every); !scoring.empty()) all["scoring"] = scoring;
  for (const char* key : kMedians)
    all["median"][place_of(metric(key))] = median(records, metric(key));
  return all;
}

std::string csv_text(const std::string& text) {
  constexpr std::string_view kFormula = "=@+-";  // what a spreadsheet would calculate
  std::string quoted = "\"";
  if (!text.empty() && kFormula.find(text.front()) != kFormula.npos) quoted += '\'';
  for (const char c : in_one_line(text)) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string csv_header() {
  Row row;
  for (const Metric& metric : metrics()) {
    if (metric.recorded) row.emplace_back(metric.key);
  }
  return joined(row, ",");
}

std::string csv_line(const FrameRecord& record) {
  Row row;
  for (const Metric& metric : metrics()) {
    if (!metric.recorded) continue;
    const auto value = metric.value(record);
    const auto* text = value ? std::get_if<std::string>(&*value) : nullptr;
    row.push_back(text ? csv_text(*text) : value ? json_of(*value).dump() : "");
  }
  return joined(row, ",");
}

std::string records_csv(std::span<const FrameRecord> records) {
  std::string text = csv_header() + "\n";
  for (const FrameRecord& record : records) text += csv_line(record) + "\n";
  return text;
}

std::string records_markdown(std::span<const FrameRecord> records) {
  const Columns columns = columns_of(kSummary);
  std::string text = "| " + joined(headings(columns), " | ") + " |\n|";
  for (const Metric* metric : columns) text += is_text(*metric) ? "---|" : "---:|";
  text += "\n";
  for (const FrameRecord& record : records) {
    Row row = cells(columns, record);
    for (std::string& cell : row) cell = markdown_text(cell);
    text += "| " + joined(row, " | ") + " |\n";
  }
  return text;
}

std::string records_latex(std::span<const FrameRecord> records) {
  const Columns columns = columns_of(kSummary);
  const auto line = [](Row row) {
    for (std::string& cell : row) cell = latex_text(cell);
    return joined(row, " & ") + " \\\\\n";
  };
  std::string text = "\\begin{tabular}{";
  for (const Metric* metric : columns) text += is_text(*metric) ? 'l' : 'r';
  text += "}\n\\toprule\n" + line(headings(columns)) + "\\midrule\n";
  for (const FrameRecord& record : records) text += line(cells(columns, record));
  return text + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace roadplane
