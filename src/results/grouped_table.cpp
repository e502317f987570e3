#include "roadplane/results/grouped_table.hpp"

#include <fmt/format.h>

#include "roadplane/base/words.hpp"

namespace roadplane {
namespace {

/// The headings over several columns, and the rules below them.
std::string latex_groups(const std::vector<GroupedTable::Column>& columns) {
  std::string heads;
  std::string rules;
  for (std::size_t first = 0; first < columns.size();) {
    std::size_t end = first + 1;
    while (end < columns.size() && columns[end].group == columns[first].group) ++end;
    heads += fmt::format(" & \\multicolumn{{{}}}{{c}}{{{}}}", end - first,
                         latex_text(columns[first].group));
    rules += fmt::format("\\cmidrule(lr){{{}-{}}}", first + 2, end + 1);
    first = end;
  }
  return heads + " \\\\\n" + rules + "\n";
}

}  // namespace

std::string latex_text(const std::string& text) {
  std::string escaped;
  for (const char c : in_one_line(text)) {
    switch (c) {
      case '\\':
        escaped += "\\textbackslash{}";
        break;
      case '~':
        escaped += "\\textasciitilde{}";
        break;
      case '^':
        escaped += "\\textasciicircum{}";
        break;
      case '_':
      case '%':
      case '&':
      case '#':
      case '$':
      case '{':
      case '}':
        escaped += '\\';
        [[fallthrough]];
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string markdown_text(const std::string& text) {
  constexpr std::string_view kMeaning = "\\|`*[]";
  std::string escaped;
  for (const char c : in_one_line(text)) {
    if (c == '<' || c == '>' || c == '&') {
      escaped += c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&amp;";
      continue;
    }
    if (kMeaning.find(c) != kMeaning.npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string to_latex(const GroupedTable& table) {
  std::string text = "\\begin{tabular}{l" + std::string(table.columns.size(), 'r') +
                     "}\n\\toprule\n" + latex_groups(table.columns) + latex_text(table.corner);
  for (const auto& column : table.columns) text += " & " + latex_text(column.name);
  text += " \\\\\n\\midrule\n";
  for (const auto& row : table.rows) {
    if (row.rule_above) text += "\\midrule\n";
    text += latex_text(row.name);
    for (const std::string& cell : row.cells) text += " & " + latex_text(cell);
    text += " \\\\\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

std::string to_markdown(const GroupedTable& table) {
  std::string text = "| " + markdown_text(table.corner) + " |";
  for (const auto& column : table.columns) {
    text += " " + markdown_text(column.group) + " / " + markdown_text(column.name) + " |";
  }
  text += "\n|---|";
  for (std::size_t k = 0; k < table.columns.size(); ++k) text += "---:|";
  text += "\n";
  for (const auto& row : table.rows) {
    text += "| " + markdown_text(row.name) + " |";
    for (const std::string& cell : row.cells) text += " " + markdown_text(cell) + " |";
    text += "\n";
  }
  return text;
}

}  // namespace roadplane
