#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace roadplane {

/// Removes and gives the first line of a text, without its line feed.
std::string_view take_line(std::string_view& text);

/// Removes and gives the next blank-separated word of a line; empty at its end. A carriage return
/// counts as a blank, so that files from Windows read the same.
std::string_view take_word(std::string_view& line);

/// The whole word as a number; from "nan" and "inf", too.
std::optional<double> parse_number(std::string_view word);
/// The whole word as a decimal number without a sign.
std::optional<std::uint64_t> parse_count(std::string_view word);

}  // namespace roadplane
