#include "report_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "roadplane/results/tables.hpp"

namespace roadplane {
namespace {

using nlohmann::json;
using Report = viz::Report;
using Form = Report::Column::Form;

using Run = const MethodRecord&;

/// A column and where its cells come from.
struct Source {
  Report::Column column;
  std::function<Report::Cell(Run)> cell;
};

/// Cells that a failed frame does not have.
auto if_solved(auto value) {
  return [value](Run r) {
    const bool has = r.record.status != FrameStatus::failed;
    return has ? Report::Cell(double(value(r.record))) : Report::Cell();
  };
}

/// Cells that only those have who talk to each other.
auto if_talking(auto value) {
  return [value](Run r) { return r.record.rounds > 0 ? if_solved(value)(r) : Report::Cell(); };
}

auto if_scored(double FrameScore::*member) {
  return [member](Run r) {
    return r.record.score ? Report::Cell(*r.record.score.*member) : Report::Cell();
  };
}

auto if_labelled(double FrameScore::Labels::*member) {
  return [member](Run r) {
    const bool has = r.record.score && r.record.score->labels;
    return has ? Report::Cell(*r.record.score->labels.*member) : Report::Cell();
  };
}

const char* kLead = "recovery error";

std::string ended(Run r) {
  return r.record.status == FrameStatus::failed ? "failed" : r.record.termination;
}

/// What went wrong or is out of the ordinary.
std::string remark(Run r) { return r.record.error.empty() ? r.record.note : r.record.error; }

std::vector<Source> sources() {
  using R = const FrameRecord&;
  return {
      {{"frame", "sequence and number"}, [](Run r) { return Report::Cell(r.record.name); }},
      {{"method", ""}, [](Run r) { return Report::Cell(r.method); }},
      {{"seed", "of the draws", Form::integer}, [](Run r) { return Report::Cell(double(r.seed)); }},
      {{"points", "of the scan", Form::integer},
       [](Run r) { return Report::Cell(double(r.record.points)); }},
      {{"road", "points labelled road", Form::integer}, if_solved([](R r) { return r.inliers; })},
      {{kLead, "sine of the angle between the found hyperplane and the true one", Form::scientific,
        2},
       if_scored(&FrameScore::recovery_error)},
      {{"worst agent", "recovery error of the agent that is farthest off", Form::scientific, 2},
       if_scored(&FrameScore::recovery_error_worst_agent)},
      {{"angle deg", "between the normals", Form::fixed, 3}, if_scored(&FrameScore::angle_deg)},
      {{"F1", "of the labels", Form::fixed, 3}, if_labelled(&FrameScore::Labels::f1)},
      {{"StaGap", "how far the agents are from a stationary point", Form::scientific, 1},
       if_talking([](R r) { return r.gap.total(); })},
      {{"consensus", "largest distance of an agent's hyperplane from the mean", Form::scientific,
        1},
       if_talking([](R r) { return r.consensus_error; })},
      {{"rounds", "of communication", Form::integer}, if_talking([](R r) { return r.rounds; })},
      {{"sent kB", "by an agent, on average", Form::fixed, 1},
       if_talking([](R r) { return r.bytes_per_agent / 1e3; })},
      {{"whiten ms", "sharing out, normalising, agreeing on the second moment", Form::fixed, 2},
       if_solved([](R r) { return r.ms.whiten; })},
      {{"solve ms", "iterating", Form::fixed, 2}, if_solved([](R r) { return r.ms.solve; })},
      {{"ended", "how the solve ended"}, [](Run r) { return Report::Cell(ended(r)); }},
      {{"truth", "what the frame was scored against; a reference is an estimate"},
       [](Run r) { return Report::Cell(r.record.score ? r.record.score->truth : "none"); }},
      {{"remark", "what went wrong or is out of the ordinary"},
       [](Run r) { return Report::Cell(remark(r)); }},
  };
}

/// The columns that tell something in this run.
std::vector<Source> sources_for(std::span<const MethodRecord> records, bool several) {
  const bool seeds =
      std::any_of(records.begin(), records.end(), [&](Run r) { return r.seed != records[0].seed; });
  auto columns = sources();
  std::erase_if(columns, [&](const Source& source) {
    const std::string& name = source.column.name;
    if (name == "method" || name == "StaGap") return !several;
    if (name == "points" || name == "truth" || name == "angle deg") return several;
    return name == "seed" && !seeds;
  });
  return columns;
}

Report::Table frames_table(std::span<const MethodRecord> records, bool several) {
  Report::Table table;
  table.lead = kLead;
  if (several) table.title = "Every frame";
  const auto columns = sources_for(records, several);
  for (const Source& source : columns) table.columns.push_back(source.column);
  for (const MethodRecord& record : records) {
    Report::Row row{record.record.name, record.method, {}};
    for (const Source& source : columns) row.cells.push_back(source.cell(record));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// A comparison's summary: of every method the medians over the frames.
Report::Table methods_table(const json& summary) {
  const std::pair<const char*, Report::Column> medians[] = {
      {"recovery_error", {kLead, "", Form::scientific, 2}},
      {"recovery_error_worst_agent", {"worst agent", "", Form::scientific, 2}},
      {"f1", {"F1", "", Form::fixed, 3}},
      {"iou", {"IoU", "", Form::fixed, 3}},
      {"stationarity_gap", {"StaGap", "", Form::scientific, 1}},
      {"consensus", {"consensus", "part of StaGap", Form::scientific, 1}},
      {"rounds", {"rounds", "of communication", Form::integer, 0}},
      {"bytes_per_agent", {"bytes sent", "by an agent, on average", Form::integer, 0}},
      {"samples", {"samples", "component gradients per agent", Form::integer, 0}},
      {"ms", {"ms", "from the shards to the plane", Form::fixed, 2}}};
  Report::Table table;
  table.title = "Every method, medians over the frames";
  table.columns = {{"method", "", Form::text, 0}};
  for (const auto& [key, column] : medians) table.columns.push_back(column);
  for (const json& line : summary) {
    const std::string method = line.at("method");
    Report::Row row{"", method, {method}};
    for (const auto& [key, column] : medians) {
      const json spread = line.value(key, json());
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
  const json& median = all.at("median");
  const auto add = [&](const std::string& name, const json& value, const char* format) {
    if (value.is_number()) {
      facts.emplace_back(name, fmt::format(fmt::runtime(format), value.get<double>()));
    }
  };
  add("recovery error, median" + of, median.at("recovery_error"), "{:.2e}");
  add("F1, median" + of, median.at("f1"), "{:.3f}");
  add("whitening, median", median.at("ms").at("whiten"), "{:.2f} ms");
  add("solving, median", median.at("ms").at("solve"), "{:.2f} ms");
  add("rounds, median", median.at("rounds"), "{:.0f}");
  if (median.at("bytes_per_agent").is_number()) {
    add("sent per agent, median", median.at("bytes_per_agent").get<double>() / 1e3, "{:.1f} kB");
  }
}

}  // namespace

std::vector<Report::Table> record_tables(const ReportRun& run) {
  const bool several = !run.summary.empty();
  std::vector<Report::Table> tables;
  if (several) tables.push_back(methods_table(run.summary));
  tables.push_back(frames_table(run.records, several));
  return tables;
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
  std::string frames = std::to_string(records.size());
  if (all["incomplete"] > 0) frames += fmt::format(", {} incomplete", all["incomplete"].dump());
  if (all["failed"] > 0) frames += fmt::format(", {} failed", all["failed"].dump());
  Facts facts{{"frames", frames}};
  add_medians(records, all, facts);
  return facts;
}

}  // namespace roadplane
