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

}  // namespace

Report::Table records_table(std::span<const FrameRecord> records) {
  Report::Table table;
  table.lead = kLead;
  const auto columns = sources();
  for (const Source& source : columns) table.columns.push_back(source.column);
  for (const FrameRecord& record : records) {
    Report::Row row{record.name, "", {}};
    for (const Source& source : columns) row.cells.push_back(source.cell(record));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<std::pair<std::string, std::string>> record_facts(
    std::span<const FrameRecord> records) {
  const json all = aggregate(records);
  const json& median = all["median"];
  std::vector<std::pair<std::string, std::string>> facts;
  const auto add = [&](const std::string& name, const json& value, const char* format) {
    if (value.is_number()) {
      facts.emplace_back(name, fmt::format(fmt::runtime(format), value.get<double>()));
    }
  };
  std::string frames = std::to_string(records.size());
  if (all["incomplete"] > 0) frames += fmt::format(", {} incomplete", all["incomplete"].dump());
  if (all["failed"] > 0) frames += fmt::format(", {} failed", all["failed"].dump());
  facts.emplace_back("frames", frames);
  const auto scored = std::count_if(records.begin(), records.end(),
                                    [](const FrameRecord& r) { return r.score.has_value(); });
  const std::string of = scored == std::ssize(records) ? "" : fmt::format(" of {} scored", scored);
  add("recovery error, median" + of, median["recovery_error"], "{:.2e}");
  add("F1, median" + of, median["f1"], "{:.3f}");
  add("whitening, median", median["ms"]["whiten"], "{:.2f} ms");
  add("solving, median", median["ms"]["solve"], "{:.2f} ms");
  add("rounds, median", median["rounds"], "{:.0f}");
  if (median["bytes_per_agent"].is_number()) {
    add("sent per agent, median", median["bytes_per_agent"].get<double>() / 1e3, "{:.1f} kB");
  }
  return facts;
}

}  // namespace roadplane
