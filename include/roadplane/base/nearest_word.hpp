#pragma once

#include <span>
#include <string_view>

namespace roadplane {

/// The word of `known` that `word` is a slip of: at most two letters wrong, and fewer than half of
/// them. Empty if there is none.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known);

}  // namespace roadplane
