#include "roadplane/results/text_layout.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "roadplane/base/words.hpp"

namespace roadplane {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::vector<std::size_t> widths_of(const Rows& rows, std::size_t columns) {
  std::vector<std::size_t> widths(columns, 0);
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      widths[k] = std::max(widths[k], shown_width(row[k]));
    }
  }
  return widths;
}

std::string painted(const std::string& cell, const char* colour) {
  return colour == nullptr ? cell : colour + cell + "\x1b[0m";
}

/// Lines of at most so many characters, but for words that are longer.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    std::string& line = lines.back();
    if (line.empty()) {
      line = word;
    } else if (shown_width(line) + 1 + shown_width(word) <= width) {
      line += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

/// What does not fit into a line of the last cells goes below them, where there is room to read it.
Rows with_last_wrapped(Rows rows, std::size_t columns, std::size_t width) {
  constexpr std::size_t kNarrowestText = 24;  // [characters]
  const std::vector<std::size_t> widths = widths_of(rows, columns);
  const std::size_t before =
      std::accumulate(widths.begin(), widths.end() - 1, 2 * (widths.size() - 1));
  if (width < before + kNarrowestText || before + widths.back() <= width) return rows;
  Rows result;
  for (auto& row : rows) {
    if (row.size() < columns || shown_width(row.back()) <= width - before) {
      result.push_back(std::move(row));
      continue;
    }
    for (std::string& line : wrapped(row.back(), width - before)) {
      row.back() = std::move(line);
      result.push_back(row);
      std::fill(row.begin(), row.end(), "");
    }
  }
  return result;
}

}  // namespace

std::size_t shown_width(const std::string& text) {
  const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) >> 6) != 2; };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::string end_of(const std::string& text, std::size_t most) {
  const std::string shown = terminal_text(text);
  return shown.size() <= most ? shown : "..." + shown.substr(shown.size() - (most - 3));
}

std::string beginning_of(const std::string& text, std::size_t most) {
  const std::string shown = terminal_text(text);
  return shown.size() <= most ? shown : shown.substr(0, most - 3) + "...";
}

std::string aligned_text(Rows rows, const std::vector<bool>& is_text, const CellColour& colour) {
  for (auto& row : rows) {
    for (std::string& cell : row) cell = terminal_text(cell);
  }
  const std::vector<std::size_t> widths = widths_of(rows, is_text.size());
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t k = 0; k < rows[r].size(); ++k) {
      const std::string& cell = rows[r][k];
      const std::string padding(widths[k] - shown_width(cell), ' ');
      const std::string shown = painted(cell, colour && !cell.empty() ? colour(r, k) : nullptr);
      line += (is_text[k] ? shown + padding : padding + shown) + "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string aligned_text(Rows rows, const std::vector<bool>& is_text, const TextLayout& layout) {
  constexpr std::size_t kNarrowestName = 16;  // [characters]
  if (is_text.back()) rows = with_last_wrapped(std::move(rows), is_text.size(), layout.width);
  const std::vector<std::size_t> widths = widths_of(rows, is_text.size());
  const std::size_t others =
      std::accumulate(widths.begin() + 1, widths.end(), 2 * (widths.size() - 1));
  if (layout.width > 0 && widths.front() + others > layout.width) {
    const std::size_t room = layout.width - std::min(layout.width, others);
    for (auto& row : rows) {
      if (!row.empty()) row[0] = end_of(row[0], std::max(room, kNarrowestName));
    }
  }
  return aligned_text(std::move(rows), is_text);
}

}  // namespace roadplane
