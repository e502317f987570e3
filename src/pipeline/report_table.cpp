#include "report_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "roadplane/pipeline/tables.hpp"

namespace roadplane {
namespace {

using nlohmann::json;
using Report = viz::Report;
using Form = Report::Column::Form;

/// A column and where its cells come from.
struct Source {
  Report::Column column;
  std::function<Report::Cell(const FrameRecord&)> cell;
};

/// Cells that a failed frame does not have.
auto if_solved(auto value) {
  return [value](const FrameRecord& r) {
    return r.status == FrameStatus::failed ? Report::Cell() : Report::Cell(double(value(r)));
  };
}

auto if_scored(double FrameScore::*member) {
  return [member](const FrameRecord& r) {
    return r.score ? Report::Cell(*r.score.*member) : Report::Cell();
  };
}

auto if_labelled(double FrameScore::Labels::*member) {
  return [member](const FrameRecord& r) {
    const bool has = r.score && r.score->labels;
    return has ? Report::Cell(*r.score->labels.*member) : Report::Cell();
  };
}

const char* kLead = "recovery error";

std::vector<Source> sources() {
  using R = const FrameRecord&;
  using Labels = FrameScore::Labels;
  return {
      {{"frame", "sequence and number"}, [](R r) { return Report::Cell(r.name); }},
      {{"points", "of the scan", Form::integer},
       [](R r) { return Report::Cell(double(r.points)); }},
      {{"road", "points labelled road", Form::integer}, if_solved([](R r) { return r.inliers; })},
      {{kLead, "sine of the angle between the agents' hyperplane and the true one",
        Form::scientific, 2},
       if_scored(&FrameScore::recovery_error)},
      {{"worst agent", "recovery error of the agent that is farthest off", Form::scientific, 2},
       if_scored(&FrameScore::recovery_error_worst_agent)},
      {{"angle deg", "between the normals", Form::fixed, 3}, if_scored(&FrameScore::angle_deg)},
      {{"F1", "of the labels", Form::fixed, 3}, if_labelled(&Labels::f1)},
      {{"consensus", "largest distance of an agent's hyperplane from the mean", Form::scientific,
        1},
       if_solved([](R r) { return r.consensus_error; })},
      {{"rounds", "of communication", Form::integer}, if_solved([](R r) { return r.rounds; })},
      {{"sent kB", "by an agent, on average", Form::fixed, 1},
       if_solved([](R r) { return r.bytes_per_agent / 1e3; })},
      {{"whiten ms", "sharing out, normalising, agreeing on the second moment", Form::fixed, 2},
       if_solved([](R r) { return r.ms.whiten; })},
      {{"solve ms", "iterating", Form::fixed, 2}, if_solved([](R r) { return r.ms.solve; })},
      {{"ended", "how the solve ended"},
       [](R r) {
         return Report::Cell(r.status == FrameStatus::failed ? "failed" : r.termination);
       }},
      {{"truth", "what the frame was scored against; a reference is an estimate"},
       [](R r) { return Report::Cell(r.score ? r.score->truth : "none"); }},
      {{"remark", "what went wrong or is out of the ordinary"},
       [](R r) { return Report::Cell(r.error.empty() ? r.note : r.error); }},
  };
}

using Facts = std::vector<std::pair<std::string, std::string>>;

std::vector<std::string> methods_of(std::span<const MethodRecord> records) {
  std::vector<std::string> methods;  // in the order of their first appearance
  for (const MethodRecord& r : records) {
    if (std::find(methods.begin(), methods.end(), r.method) == methods.end()) {
      methods.push_back(r.method);
    }
  }
  return methods;
}

std::vector<FrameRecord> records_of(std::span<const MethodRecord> records,
                                    const std::string& method) {
  std::vector<FrameRecord> chosen;
  for (const MethodRecord& r : records) {
    if (r.method == method) chosen.push_back(r.record);
  }
  return chosen;
}

Report::Table frames_table(std::span<const MethodRecord> records, bool several) {
  Report::Table table;
  table.lead = kLead;
  const auto columns = sources();
  for (const Source& source : columns) table.columns.push_back(source.column);
  if (several) {
    table.title = "Every frame";
    table.columns.insert(table.columns.begin() + 1, {"method", "", Form::text, 0});
  }
  for (const auto& [method, record] : records) {
    Report::Row row{record.name, method, {}};
    for (const Source& source : columns) row.cells.push_back(source.cell(record));
    if (several) row.cells.insert(row.cells.begin() + 1, method);
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// A number of aggregate(), by its key below "median".
struct Median {
  Report::Column column;
  std::vector<std::string> key;
  double factor = 1;
};

std::vector<Median> medians() {
  return {{{kLead, "median", Form::scientific, 2}, {"recovery_error"}},
          {{"worst agent", "median", Form::scientific, 2}, {"recovery_error_worst_agent"}},
          {{"F1", "median", Form::fixed, 3}, {"f1"}},
          {{"IoU", "median", Form::fixed, 3}, {"iou"}},
          {{"consensus", "median", Form::scientific, 1}, {"consensus_error"}},
          {{"rounds", "median", Form::integer}, {"rounds"}},
          {{"sent kB", "by an agent; median", Form::fixed, 1}, {"bytes_per_agent"}, 1e-3},
          {{"whiten ms", "median", Form::fixed, 2}, {"ms", "whiten"}},
          {{"solve ms", "median", Form::fixed, 2}, {"ms", "solve"}}};
}

Report::Cell cell_of(const Median& median, const json& all) {
  const json* value = &all.at("median");
  for (const std::string& key : median.key) value = &value->at(key);
  return value->is_number() ? Report::Cell(median.factor * value->get<double>()) : Report::Cell();
}

Report::Table methods_table(std::span<const MethodRecord> records,
                            const std::vector<std::string>& methods) {
  Report::Table table;
  table.title = "Every method, medians over the frames";
  table.columns = {{"method", "", Form::text, 0},
                   {"frames", "", Form::integer, 0},
                   {"failed", "", Form::integer, 0}};
  for (const Median& median : medians()) table.columns.push_back(median.column);
  for (const std::string& method : methods) {
    const json all = aggregate(records_of(records, method));
    Report::Row row{
        "", method, {method, all.at("frames").get<double>(), all.at("failed").get<double>()}};
    for (const Median& median : medians()) row.cells.push_back(cell_of(median, all));
    table.rows.push_back(std::move(row));
  }
  return table;
}

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

std::vector<Report::Table> record_tables(std::span<const MethodRecord> records) {
  const auto methods = methods_of(records);
  if (methods.size() <= 1) return {frames_table(records, false)};
  return {methods_table(records, methods), frames_table(records, true)};
}

Facts record_facts(std::span<const MethodRecord> records) {
  const auto methods = methods_of(records);
  const auto first = methods.empty() ? std::vector<FrameRecord>() : records_of(records, methods[0]);
  const json all = aggregate(first);
  if (methods.size() > 1) {
    return {{"methods", std::to_string(methods.size())}, {"frames", std::to_string(first.size())}};
  }
  std::string frames = std::to_string(first.size());
  if (all["incomplete"] > 0) frames += fmt::format(", {} incomplete", all["incomplete"].dump());
  if (all["failed"] > 0) frames += fmt::format(", {} failed", all["failed"].dump());
  Facts facts{{"frames", frames}};
  add_medians(first, all, facts);
  return facts;
}

}  // namespace roadplane
