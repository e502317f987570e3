#pragma once

#include <string>
#include <vector>

namespace roadplane {

/// Rows of as many cells as columns below each other, texts to the left, numbers to the right.
std::string aligned_text(const std::vector<std::vector<std::string>>& rows,
                         const std::vector<bool>& is_text);

}  // namespace roadplane
