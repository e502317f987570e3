#include "report_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "roadplane/results/metrics.hpp"
#include "roadplane/results/tables.hpp"

namespace roadplane {
namespace {

using nlohmann::json;
using Report = viz::Report;
using Form = Report::Column::Form;

/// Columns of a run of one method.
constexpr const char* kOfOne[] = {"name",
                                  "status",
                                  "began",
                                  "remark",
                                  "points",
                                  "inliers",
                                  "height_m",
                                  "height_half_m",
                                  "tilt_deg",
                                  "tilt_half_deg",
                                  "roll_deg",
                                  "pitch_deg",
                                  "recovery_error",
                                  "recovery_error_worst_agent",
                                  "angle_deg",
                                  "height_error_m",
                                  "f1",
                                  "scoring",
                                  "consensus_error",
                                  "rounds",
                                  "sent_kb",
                                  "ms.start",
                                  "ms.solve",
                                  "ended",
                                  "truth"};
/// Columns of a comparison's runs, beside the method and the seed.
constexpr const char* kOfSeveral[] = {"name",
                                      "inliers",
                                      "recovery_error",
                                      "recovery_error_worst_agent",
                                      "angle_deg",
                                      "height_error_m",
                                      "f1",
                                      "scoring",
                                      "minimiser_distance",
                                      "stationarity_gap",
                                      "consensus_error",
                                      "messages_per_link",
                                      "rounds",
                                      "sent_kb",
                                      "ms.start",
                                      "ms.solve",
                                      "ended",
                                      "remark"};
/// Columns of a comparison's medians.
constexpr const char* kMedians[] = {"recovery_error",
                                    "recovery_error_worst_agent",
                                    "f1",
                                    "iou",
                                    "minimiser_distance",
                                    "stationarity_gap",
                                    "stationarity.consensus",
                                    "messages_per_link",
                                    "rounds",
                                    "bytes_per_agent",
                                    "samples",
                                    "ms.start",
                                    "ms.solve"};

/// Which column is half the 95 % interval of which.
constexpr std::pair<const char*, const char*> kIntervals[] = {{"height_m", "height_half_m"},
                                                              {"tilt_deg", "tilt_half_deg"}};

std::string mark_of(FrameStatus status) {
  return status == FrameStatus::ok ? "" : std::string(to_string(status));
}

Form form_of(const MetricFormat& format) {
  switch (format.form) {
    case MetricFormat::Form::text:
      return Form::text;
    case MetricFormat::Form::fixed:
      return Form::fixed;
    case MetricFormat::Form::scientific:
      return Form::scientific;
    default:
      return Form::integer;
  }
}

Report::Column column_of(const Metric& metric) {
  const Form form = form_of(metric.format);
  return {metric.heading(), std::string(metric.hint), form,
          form == Form::integer ? 0 : metric.format.digits};
}

Report::Cell cell_of(const Metric& metric, const FrameRecord& record) {
  if (metric.of_agents && record.rounds == 0) return {};  // nobody talks to anybody
  const auto value = metric.shown(record);
  if (!value) return {};
  if (const auto* text = std::get_if<std::string>(&*value)) return *text;
  return *metric.number(record);
}

bool has_several_seeds(std::span<const MethodRecord> records) {
  return std::any_of(records.begin(), records.end(),
                     [&](const MethodRecord& r) { return r.seed != records[0].seed; });
}

/// A table of the frames of one method.
Report::Table frames_table(std::span<const MethodRecord> records,
                           std::span<const char* const> keys) {
  Report::Table table;
  table.lead = metric("recovery_error").heading();
  for (const char* key : keys) {
    table.columns.push_back(column_of(metric(key)));
    for (const auto& [of, half] : kIntervals) {
      if (std::string_view(key) == of) table.columns.back().half = metric(half).heading();
    }
  }
  for (const MethodRecord& r : records) {
    Report::Row row{r.record.name, r.method, {}, mark_of(r.record.status)};
    for (const char* key : keys) row.cells.push_back(cell_of(metric(key), r.record));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// The same with the method and, if there are several, the seed behind the frame's name.
Report::Table runs_table(std::span<const MethodRecord> records) {
  Report::Table table = frames_table(records, kOfSeveral);
  table.title = "Every frame";
  const bool seeds = has_several_seeds(records);
  const auto second = [](auto& all) { return all.begin() + 1; };
  if (seeds) {
    table.columns.insert(second(table.columns), {"seed", "of the draws", Form::integer});
  }
  table.columns.insert(second(table.columns), {"method", ""});
  for (std::size_t k = 0; k < records.size(); ++k) {
    std::vector<Report::Cell>& cells = table.rows[k].cells;
    if (seeds) cells.insert(second(cells), static_cast<double>(records[k].seed));
    cells.insert(second(cells), records[k].method);
  }
  return table;
}

/// A comparison's summary: of every method the medians over the frames.
Report::Table methods_table(const json& summary, const std::string& scoring) {
  Report::Table table;
  table.title = "Every method, medians over the frames";
  table.columns = {{"method", "", Form::text, 0}};
  for (const char* key : kMedians) {
    table.columns.push_back(column_of(metric(key)));
    table.columns.back().name = metric(key).heading_under(scoring);
  }
  for (const json& line : summary) {
    const std::string method = line.at("method");
    Report::Row row{"", method, {method}};
    for (const char* key : kMedians) {
      const json spread = line.value(std::string(metric(key).short_key()), json());
      Report::Cell& cell = row.cells.emplace_back();
      if (spread.is_object()) cell = spread.at("median").get<double>();
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

using Facts = std::vector<std::pair<std::string, std::string>>;

void add_medians(std::span<const FrameRecord> records, const json& all, Facts& facts) {
  const auto scored = std::count_if(records.begin(), records.end(),
                                    [](const FrameRecord& r) { return r.score.has_value(); });
  const std::string of = scored == std::ssize(records) ? "" : fmt::format(" of {} scored", scored);
  const auto add = [&](const std::string& name, const json& median, const Metric& metric) {
    if (!median.is_number()) return;
    facts.emplace_back(name, fmt::format("{}{}{}", metric.text(median.get<double>()),
                                         metric.unit.empty() ? "" : " ", metric.unit));
  };
  const json& median = all.at("median");
  add("recovery error, median" + of, median.at("recovery_error"), metric("recovery_error"));
  const std::string f1 = metric("f1").heading_under(all.value("scoring", ""));
  add(f1 + ", median" + of, median.at("f1"), metric("f1"));
  add("start, median", median.at("ms").at("start"), metric("ms.start"));
  add("solving, median", median.at("ms").at("solve"), metric("ms.solve"));
  add("rounds, median", median.at("rounds"), metric("rounds"));
  if (median.at("bytes_per_agent").is_number()) {
    const double sent_kb = median.at("bytes_per_agent").get<double>() / 1e3;
    add("sent per agent, median", sent_kb, metric("sent_kb"));
  }
}

}  // namespace

std::vector<Report::Table> record_tables(const ReportRun& run) {
  if (run.summary.empty()) return {frames_table(run.records, kOfOne)};
  std::vector<const FrameRecord*> records;
  for (const MethodRecord& r : run.records) records.push_back(&r.record);
  return {methods_table(run.summary, scoring_of(records)), runs_table(run.records)};
}

Facts record_facts(const ReportRun& run) {
  if (!run.summary.empty()) {
    std::set<std::string> frames;
    for (const MethodRecord& r : run.records) frames.insert(r.record.name);
    return {{"methods", std::to_string(run.summary.size())},
            {"frames", std::to_string(frames.size())}};
  }
  std::vector<FrameRecord> records;
  for (const MethodRecord& r : run.records) records.push_back(r.record);
  const json all = aggregate(records);
  Facts facts{{"frames", std::to_string(records.size())}};
  for (const char* status : {"suspect", "incomplete", "failed"}) {
    const int count = all.value(status, 0);
    if (count > 0) facts.emplace_back(status, std::to_string(count));
  }
  add_medians(records, all, facts);
  return facts;
}

}  // namespace roadplane
