#include "aligned_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "roadplane/base/words.hpp"

namespace roadplane {

std::string aligned_text(std::vector<std::vector<std::string>> rows,
                         const std::vector<bool>& is_text) {
  for (auto& row : rows) {
    for (std::string& cell : row) cell = terminal_text(cell);
  }
  std::vector<std::size_t> widths(is_text.size(), 0);
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k) {
      line += is_text[k] ? fmt::format("{:<{}}  ", row[k], widths[k])
                         : fmt::format("{:>{}}  ", row[k], widths[k]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace roadplane
