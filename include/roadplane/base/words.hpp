#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roadplane {

/// "a, b or c", for messages and help.
std::string alternatives(std::span<const std::string_view> words);

/// "0.5 to 4", for messages.
std::string range_text(double least, double most);

/// A number with as few digits as tell it apart: "5", "0.1", "1000000", "1e-09".
std::string in_digits(double number);

/// The text, or its beginning and its end with "..." between them if it has more than `most` bytes.
std::string shortened(std::string_view text, std::size_t most);

/// Text of others (names of files, keys, messages) in one line: control characters and bytes that
/// are not UTF-8 become question marks.
std::string in_one_line(std::string_view text);

/// The same for a terminal, which an escape sequence could command; of a reasonable length. All
/// that names something of others goes through it on its way to the screen.
std::string terminal_text(std::string_view text);

/// A word in quotes, shortened and with unprintable bytes replaced, for a one-line message.
std::string in_quotes(std::string_view word);

std::string upper_case(std::string_view text);

/// The words of "a,b,c"; an empty word stays one.
std::vector<std::string> split_list(const std::string& text);

}  // namespace roadplane
