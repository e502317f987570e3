#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roadplane {

/// Removes and gives the first line of a text, without its line feed.
std::string_view take_line(std::string_view& text);

/// Removes and gives the next blank-separated word of a line; empty at its end. A carriage return
/// counts as a blank, so that files from Windows read the same.
std::string_view take_word(std::string_view& line);

/// Removes and gives the first character of a text that is not empty: the bytes of its UTF-8, or
/// one byte that is none.
std::string_view take_character(std::string_view& text);

/// The bytes of a file's name as UTF-8 that gives them back: a byte that is none is \xFF, its
/// number, and what already looks like that gets its backslash as \x5C. Records, tables and
/// configurations hold names so; most stay what they are.
std::string utf8_of_name(std::string_view bytes);
std::string name_of_utf8(std::string_view text);

/// The whole word as a number; from "nan" and "inf", too.
std::optional<double> parse_number(std::string_view word);
/// The whole word as a decimal number without a sign.
std::optional<std::uint64_t> parse_count(std::string_view word);

}  // namespace roadplane
