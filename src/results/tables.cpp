#include "roadplane/results/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "roadplane/results/grouped_table.hpp"

namespace roadplane {
namespace {

using nlohmann::json;
using Row = std::vector<std::string>;

const Row kColumns{"frame",     "points", "road",      "recovery error", "worst agent",
                   "angle deg", "F1",     "consensus", "rounds",         "whiten ms",
                   "solve ms",  "ended",  "truth"};

std::string or_dash(const std::optional<double>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

Row important(const FrameRecord& r) {
  if (r.status == FrameStatus::failed) {
    Row row(kColumns.size(), "-");
    row[0] = r.name;
    row[1] = std::to_string(r.points);
    row[row.size() - 2] = "failed";
    return row;
  }
  std::optional<double> error, worst, angle, f1;
  if (r.score) {
    error = r.score->recovery_error;
    worst = r.score->recovery_error_worst_agent;
    angle = r.score->angle_deg;
    if (r.score->labels) f1 = r.score->labels->f1;
  }
  return {r.name,
          std::to_string(r.points),
          std::to_string(r.inliers),
          or_dash(error, "{:.2e}"),
          or_dash(worst, "{:.2e}"),
          or_dash(angle, "{:.3f}"),
          or_dash(f1, "{:.3f}"),
          fmt::format("{:.1e}", r.consensus_error),
          std::to_string(r.rounds),
          fmt::format("{:.2f}", r.ms.whiten),
          fmt::format("{:.2f}", r.ms.solve),
          r.termination,
          r.score ? r.score->truth : "none"};
}

/// Nested keys as "plane.offset_m", arrays as "w.0".
void flatten(const json& value, const std::string& key, json& result) {
  if (!value.is_structured()) {
    result[key] = value;
    return;
  }
  for (const auto& [name, inner] : value.items()) {
    flatten(inner, key.empty() ? name : key + "." + name, result);
  }
}

std::string csv_cell(const json& value) {
  if (!value.is_string()) return value.dump();
  std::string quoted = "\"";
  for (const char c : value.get<std::string>()) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string joined(const Row& row, const std::string& separator) {
  return fmt::format("{}", fmt::join(row, separator));
}

/// The median of what `value` gives, over the records that have it.
json median(std::span<const FrameRecord> records,
            const std::function<std::optional<double>(const FrameRecord&)>& value) {
  std::vector<double> values;
  for (const FrameRecord& r : records) {
    if (r.status == FrameStatus::failed) continue;
    if (const auto v = value(r)) values.push_back(*v);
  }
  if (values.empty()) return nullptr;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

std::optional<double> from_labels(const FrameRecord& r, double FrameScore::Labels::*member) {
  if (!r.score || !r.score->labels) return std::nullopt;
  return *r.score->labels.*member;
}

std::optional<double> from_score(const FrameRecord& r, double FrameScore::*member) {
  if (!r.score) return std::nullopt;
  return *r.score.*member;
}

}  // namespace

std::string trace_csv(const std::vector<TraceEntry>& trace, const Graph& graph) {
  std::string text =
      "iteration,stationarity_gap,gradient,consensus,feasibility,objective,rounds,messages,"
      "bytes_per_agent,samples,seconds,links_down\n";
  for (const TraceEntry& e : trace) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", e.iteration, e.gap.total(),
                        e.gap.gradient, e.gap.consensus, e.gap.feasibility, e.objective,
                        e.traffic.rounds, e.traffic.messages(graph),
                        e.traffic.bytes_per_agent(graph), e.samples, e.seconds, e.links_down);
  }
  return text;
}

json aggregate(std::span<const FrameRecord> records) {
  const auto count = [&](FrameStatus status) {
    return std::count_if(records.begin(), records.end(),
                         [&](const FrameRecord& r) { return r.status == status; });
  };
  using Score = FrameScore;
  using Labels = FrameScore::Labels;
  json medians;
  medians["recovery_error"] =
      median(records, [](auto& r) { return from_score(r, &Score::recovery_error); });
  medians["recovery_error_worst_agent"] =
      median(records, [](auto& r) { return from_score(r, &Score::recovery_error_worst_agent); });
  medians["angle_deg"] = median(records, [](auto& r) { return from_score(r, &Score::angle_deg); });
  medians["height_error_m"] =
      median(records, [](auto& r) { return from_score(r, &Score::height_error_m); });
  medians["precision"] =
      median(records, [](auto& r) { return from_labels(r, &Labels::precision); });
  medians["recall"] = median(records, [](auto& r) { return from_labels(r, &Labels::recall); });
  medians["f1"] = median(records, [](auto& r) { return from_labels(r, &Labels::f1); });
  medians["iou"] = median(records, [](auto& r) { return from_labels(r, &Labels::iou); });
  medians["auc"] = median(records, [](auto& r) { return from_labels(r, &Labels::auc); });
  medians["consensus_error"] = median(records, [](auto& r) { return r.consensus_error; });
  medians["rounds"] = median(records, [](auto& r) { return static_cast<double>(r.rounds); });
  medians["bytes_per_agent"] = median(records, [](auto& r) { return r.bytes_per_agent; });
  medians["ms"] = {{"load", median(records, [](auto& r) { return r.ms.load; })},
                   {"whiten", median(records, [](auto& r) { return r.ms.whiten; })},
                   {"solve", median(records, [](auto& r) { return r.ms.solve; })},
                   {"label", median(records, [](auto& r) { return r.ms.label; })},
                   {"draw", median(records, [](auto& r) { return r.ms.draw; })}};
  return {{"frames", records.size()},
          {"ok", count(FrameStatus::ok)},
          {"incomplete", count(FrameStatus::incomplete)},
          {"failed", count(FrameStatus::failed)},
          {"median", medians}};
}

std::string csv_of(std::span<const json> objects) {
  json header = json::object();  // the union of all objects' keys, sorted
  std::vector<json> rows;
  for (const json& object : objects) {
    flatten(object, "", rows.emplace_back(json::object()));
    header.update(rows.back());
  }
  std::string text;
  for (const auto& [key, unused] : header.items()) text += (text.empty() ? "" : ",") + key;
  text += "\n";
  for (const json& row : rows) {
    Row cells;
    for (const auto& [key, unused] : header.items()) {
      cells.push_back(row.contains(key) ? csv_cell(row[key]) : "");
    }
    text += joined(cells, ",") + "\n";
  }
  return text;
}

std::string records_csv(std::span<const FrameRecord> records) {
  std::vector<json> objects;
  for (const FrameRecord& record : records) objects.push_back(to_json(record));
  return csv_of(objects);
}

std::string records_markdown(std::span<const FrameRecord> records) {
  std::string text = "| " + joined(kColumns, " | ") + " |\n|";
  for (std::size_t k = 0; k < kColumns.size(); ++k) text += k == 0 ? "---|" : "---:|";
  text += "\n";
  for (const FrameRecord& record : records)
    text += "| " + joined(important(record), " | ") + " |\n";
  return text;
}

std::string records_latex(std::span<const FrameRecord> records) {
  std::string text = "\\begin{tabular}{l" + std::string(kColumns.size() - 3, 'r') +
                     "ll}\n\\toprule\n" + joined(kColumns, " & ") + " \\\\\n\\midrule\n";
  for (const FrameRecord& record : records) {
    Row row = important(record);
    for (std::string& cell : row) cell = latex_text(cell);
    text += joined(row, " & ") + " \\\\\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

std::string records_text(std::span<const FrameRecord> records, std::size_t most) {
  std::vector<Row> rows{kColumns};
  for (const FrameRecord& record : records.first(std::min(most, records.size()))) {
    rows.push_back(important(record));
  }
  std::vector<std::size_t> widths(kColumns.size(), 0);
  for (const Row& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const bool left = k == 0 || k + 2 >= row.size();
      line += left ? fmt::format("{:<{}}  ", row[k], widths[k])
                   : fmt::format("{:>{}}  ", row[k], widths[k]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  if (records.size() > most) text += fmt::format("... and {} more\n", records.size() - most);
  return text;
}

}  // namespace roadplane
