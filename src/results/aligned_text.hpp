#pragma once

#include <string>
#include <vector>

namespace roadplane {

/// Rows of as many cells as columns below each other, texts to the left, numbers to the right;
/// for a terminal.
std::string aligned_text(std::vector<std::vector<std::string>> rows,
                         const std::vector<bool>& is_text);

}  // namespace roadplane
