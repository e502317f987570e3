#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace roadplane {

/// How text is laid out for a terminal.
struct TextLayout {
  std::size_t width = 0;  ///< [characters] of a line; 0: as wide as it gets
  bool colour = false;
};

/// What a text takes of a line, in characters.
std::size_t shown_width(const std::string& text);

/// The end or the beginning of a text of others for the terminal, with "..." for what was cut off.
std::string end_of(const std::string& text, std::size_t most);
std::string beginning_of(const std::string& text, std::size_t most);

/// The escape code of a cell's colour; null for none.
using CellColour = std::function<const char*(std::size_t row, std::size_t column)>;

/// Rows of cells below each other, texts to the left, numbers to the right, for a terminal. A row
/// with fewer cells leaves the rest of its line empty.
std::string aligned_text(std::vector<std::vector<std::string>> rows,
                         const std::vector<bool>& is_text, const CellColour& colour = {});
/// The same where lines would be too long: the last cells go on below, or, where there is no room
/// for that, the first cells, the names, are cut at their beginning.
std::string aligned_text(std::vector<std::vector<std::string>> rows,
                         const std::vector<bool>& is_text, const TextLayout& layout);

}  // namespace roadplane
