#pragma once

#include <string>
#include <vector>

namespace roadplane {

/// A table in the layout of the paper's Table 2: data set and frame on top, one row a method.
struct GroupedTable {
  struct Column {
    std::string group;  ///< the data set; neighbours of one group share a heading
    std::string name;   ///< the frame
  };
  struct Row {
    std::string name;
    std::vector<std::string> cells;  ///< one per column
    bool rule_above = false;         ///< a line between this row and the one before
  };
  std::string corner;  ///< what the rows are
  std::vector<Column> columns;
  std::vector<Row> rows;
};

/// booktabs: \toprule, \cmidrule, ...
std::string to_latex(const GroupedTable& table);
std::string to_markdown(const GroupedTable& table);

/// Text in which LaTeX or Markdown (and HTML in it) sees nothing special, in one line.
std::string latex_text(const std::string& text);
std::string markdown_text(const std::string& text);

}  // namespace roadplane
