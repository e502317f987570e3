#include "roadplane/compare/compare_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "compare_metrics.hpp"
#include "roadplane/results/tables.hpp"

namespace roadplane {
namespace {

/// Of the runs that did not fail, with the number of those that did.
std::string with_deviation(const Metric& metric, const std::optional<Spread>& spread,
                           const RunCount& count) {
  if (!spread) return count.failed > 0 && count.failed == count.runs ? "failed" : "-";
  std::string text = metric.text(spread->mean);
  if (spread->count > 1) text += " ± " + fmt::format("{:.1e}", spread->deviation);
  if (count.failed > 0) text += fmt::format(" ({} of {} failed)", count.failed, count.runs);
  return text;
}

std::string with_range(const Metric& metric, const std::optional<Spread>& spread) {
  if (!spread) return "-";
  std::string text = number_text(metric, spread->median);
  if (spread->count > 1) {
    text += " (" + number_text(metric, spread->least) + " to " + number_text(metric, spread->most) +
            ")";
  }
  return text;
}

/// Methods below each other, metrics side by side; `cell` gives the text.
std::string metric_table(const Comparison& comparison, const auto& count, const auto& cell) {
  std::string text = "| method | step and own parameters | failed |";
  const std::string scoring = scoring_of(comparison);
  for (const Metric* m : compared_metrics()) {
    text += fmt::format(" {} |", m->heading_under(scoring));
  }
  text += "\n|---|---:|---:|";
  for (std::size_t k = 0; k < compared_metrics().size(); ++k) text += "---:|";
  text += "\n";
  for (std::size_t k = 0; k < comparison.plan.methods.size(); ++k) {
    const CompareMethod& method = comparison.plan.methods[k];
    text += fmt::format("| {} | {} | {} |", method.name, settings_text(comparison, k),
                        failed_text(count(k)));
    for (const Metric* m : compared_metrics()) {
      text += is_budget(comparison, k, *m) ? std::string(" budget |")
                                           : fmt::format(" {} |", cell(k, *m));
    }
    text += "\n";
  }
  return text;
}

std::string failures(const Comparison& comparison, const FrameComparison& frame) {
  std::string text;
  if (frame.stopped) text += "\nStopped before all methods had their runs.\n";
  if (!frame.error.empty()) text += "\nFailed: " + frame.error + "\n";
  for (const CompareRecord& run : frame.records) {
    if (run.record.status != FrameStatus::failed) continue;
    text += fmt::format("\n{}, seed {}: {}\n", comparison.plan.methods[run.method].name, run.seed,
                        run.record.error);
  }
  return text;
}

}  // namespace

GroupedTable frame_table(const Comparison& comparison, const Metric& metric) {
  GroupedTable table;
  table.corner = metric.title;
  for (const FrameComparison& frame : comparison.frames) {
    table.columns.push_back({frame.sequence, std::to_string(frame.frame)});
  }
  const auto& methods = comparison.plan.methods;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    GroupedTable::Row row{methods[m].name, {}};
    row.rule_above = m > 0 && methods[m].objective != methods[m - 1].objective;
    for (const FrameComparison& frame : comparison.frames) {
      row.cells.push_back(
          with_deviation(metric, over_seeds(comparison, frame, m, metric), count_runs(frame, m)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

GroupedTable error_table(const Comparison& comparison) {
  GroupedTable table = frame_table(comparison, metric("recovery_error"));
  GroupedTable::Row truth{"truth", {}, true};
  for (const FrameComparison& frame : comparison.frames) {
    truth.cells.push_back(frame.truth.empty() ? "-" : frame.truth);
  }
  table.rows.push_back(std::move(truth));
  return table;
}

GroupedTable distance_table(const Comparison& comparison) {
  GroupedTable table = frame_table(comparison, metric("minimiser_distance"));
  std::erase_if(table.rows, [](const GroupedTable::Row& row) {
    return std::all_of(row.cells.begin(), row.cells.end(),
                       [](const std::string& cell) { return cell == "-"; });
  });
  return table;
}

std::string comparison_markdown(const Comparison& comparison) {
  std::string text = "# Comparison\n\n" + to_markdown(error_table(comparison)) + "\n" +
                     to_markdown(distance_table(comparison)) + "\n";
  for (const std::string& line : findings_of(comparison)) text += "- " + line + "\n";
  text += "\n## Protocol\n\n";
  for (const std::string& line : protocol_of(comparison)) text += "- " + line + "\n";
  text += "\n## All runs: median (least to most), failed ones as the worst\n\n";
  text += metric_table(
      comparison, [&](std::size_t k) { return count_runs(comparison, k); },
      [&](std::size_t k, const Metric& m) { return with_range(m, over_runs(comparison, k, m)); });
  for (const std::string& picture : comparison.curve_pictures) {
    text += fmt::format("\n![curves]({})\n", picture);
  }
  for (const FrameComparison& frame : comparison.frames) {
    text += fmt::format("\n## {} ({} points)\n\n", frame.name, frame.points);
    if (!frame.records.empty()) {
      text += metric_table(
          comparison, [&](std::size_t k) { return count_runs(frame, k); },
          [&](std::size_t k, const Metric& m) {
            return with_deviation(m, over_seeds(comparison, frame, k, m), {});
          });
    }
    text += failures(comparison, frame);
    if (!frame.panel.empty()) text += fmt::format("\n![every method]({})\n", frame.panel);
    for (const std::string& picture : frame.curve_pictures) {
      text += fmt::format("\n![curves]({})\n", picture);
    }
  }
  return text;
}

std::string comparison_latex(const Comparison& comparison) {
  GroupedTable table = error_table(comparison);
  std::string text = to_latex(table);
  for (const auto& lines : {findings_of(comparison), protocol_of(comparison)}) {
    for (const std::string& line : lines) text += "\n\\par " + latex_text(line) + "\n";
  }
  std::string plain;  // the one sign that is not ASCII
  for (std::size_t at = 0; at < text.size();) {
    const bool sign = text.compare(at, 2, "±") == 0;
    plain += sign ? "$\\pm$" : std::string(1, text[at]);
    at += sign ? 2 : 1;
  }
  return plain;
}

std::string comparison_csv(const Comparison& comparison) {
  std::string text = "method,seed," + csv_header() + "\n";
  for (const FrameComparison& frame : comparison.frames) {
    for (const CompareRecord& run : frame.records) {
      text += fmt::format("{},{},{}\n", csv_text(comparison.plan.methods[run.method].name),
                          run.seed, csv_line(run.record));
    }
  }
  return text;
}

}  // namespace roadplane
