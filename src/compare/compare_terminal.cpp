#include <fmt/format.h>

#include <algorithm>

#include "compare_metrics.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/compare/compare_tables.hpp"
#include "roadplane/results/text_layout.hpp"

namespace roadplane {
namespace {

constexpr std::size_t kWidth = 80;  // characters of a terminal
constexpr std::size_t kGap = 2;

using Row = std::vector<std::string>;
using Methods = std::vector<std::size_t>;

/// The methods that are compared with each other: of an objective, or the baselines.
std::vector<std::pair<std::string, Methods>> groups_of(const ComparePlan& plan) {
  std::vector<std::pair<std::string, Methods>> groups;
  for (std::size_t m = 0; m < plan.methods.size(); ++m) {
    const std::string& objective = plan.methods[m].objective;
    const std::string name = objective.empty() ? "baselines (centralised)" : objective;
    if (groups.empty() || groups.back().first != name) groups.push_back({name, {}});
    groups.back().second.push_back(m);
  }
  return groups;
}

/// Columns that say nothing are left out.
std::vector<Row> without_empty_columns(const std::vector<Row>& rows) {
  std::vector<Row> left(rows.size());
  for (std::size_t k = 0; k < rows.front().size(); ++k) {
    const bool empty =
        std::all_of(rows.begin() + 1, rows.end(), [k](const Row& row) { return row[k] == "-"; });
    for (std::size_t r = 0; r < rows.size() && !empty; ++r) left[r].push_back(rows[r][k]);
  }
  return left;
}

/// The first column to the left, the others to the right; in several blocks below each other where
/// one would be too wide.
std::string in_blocks(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  std::string text;
  for (std::size_t first = 1, end = 1; first < widths.size(); first = end) {
    std::size_t width = widths[0];
    while (end < widths.size() && (end == first || width + kGap + widths[end] <= kWidth)) {
      width += kGap + widths[end++];
    }
    std::vector<Row> block;
    for (const Row& row : rows) {
      block.push_back({row[0]});
      block.back().insert(block.back().end(), row.begin() + static_cast<std::ptrdiff_t>(first),
                          row.begin() + static_cast<std::ptrdiff_t>(end));
    }
    std::vector<bool> is_text(1 + end - first, false);
    is_text[0] = true;
    text += (first > 1 ? "\n" : "") + aligned_text(block, is_text);
  }
  return text;
}

std::string medians(const Comparison& comparison, const std::string& name, const Methods& methods) {
  constexpr std::pair<const char*, const char*> kShown[] = {
      {"recovery_error", "error"},       {"minimiser_distance", "from min."},
      {"stationarity_gap", "StaGap"},    {"f1", "F1"},
      {"messages_per_link", "messages"}, {"ms.start", "start ms"},
      {"ms.solve", "solve ms"}};
  std::vector<Row> rows{{name}};
  for (const auto& [key, title] : kShown) rows[0].emplace_back(title);
  rows[0].emplace_back("step and own parameters");
  std::string failures;
  for (const std::size_t m : methods) {
    Row& row = rows.emplace_back(Row{short_name(comparison.plan.methods[m])});
    for (const auto& [key, title] : kShown) {
      const Metric& shown = metric(key);
      const auto spread = over_runs(comparison, m, shown);
      row.push_back(is_budget(comparison, m, shown) ? "budget"
                    : spread                        ? number_text(shown, spread->median)
                                                    : "-");
    }
    row.push_back(settings_text(comparison, m));
    const RunCount count = count_runs(comparison, m);
    if (count.failed > 0) failures += row[0] + ": " + failed_text(count) + " runs failed\n";
  }
  return in_blocks(without_empty_columns(rows)) + failures;
}

/// Of a metric, a row per frame: means over the seeds.
std::string by_frame(const Comparison& comparison, const std::string& name, const Methods& methods,
                     const Metric& metric) {
  constexpr std::size_t kMostFrames = 50;
  std::vector<Row> rows{{"frame"}};
  for (const std::size_t m : methods) rows[0].push_back(short_name(comparison.plan.methods[m]));
  bool any = false;
  for (const FrameComparison& frame : comparison.frames) {
    if (rows.size() > kMostFrames) break;
    Row& row =
        rows.emplace_back(Row{terminal_text(fmt::format("{}/{}", frame.sequence, frame.frame))});
    for (const std::size_t m : methods) {
      const auto spread = over_seeds(comparison, frame, m, metric);
      const RunCount count = count_runs(frame, m);
      any = any || spread.has_value();
      row.push_back(spread                                           ? metric.text(spread->mean)
                    : count.failed > 0 && count.failed == count.runs ? "failed"
                                                                     : "-");
    }
  }
  if (!any) return {};
  const std::size_t left = comparison.frames.size() + 1 - rows.size();
  return fmt::format("{}: {} by frame\n", name, metric.title) + in_blocks(rows) +
         (left > 0 ? fmt::format("... and {} more in summary.md\n", left) : "");
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  const auto groups = groups_of(comparison.plan);
  const std::string scoring = scoring_of(comparison);
  std::string text;
  for (const auto& [name, methods] : groups) text += medians(comparison, name, methods) + "\n";
  text +=
      "error: recovery error; from min.: of the worst agent, from the minimiser;\n"
      "messages: per link" +
      (scoring.empty() ? std::string() : "; F1 " + scoring) + "\n";
  for (const char* key : {"recovery_error", "minimiser_distance"}) {
    for (const auto& [name, methods] : groups) {
      const std::string block = by_frame(comparison, name, methods, metric(key));
      if (!block.empty()) text += "\n" + block;
    }
  }
  return text;
}

}  // namespace roadplane
