#include "roadplane/base/text.hpp"

#include <algorithm>
#include <charconv>

namespace roadplane {
namespace {

constexpr std::string_view kBlanks = " \t\r\f\v";

template <class T>
std::optional<T> parse(std::string_view word) {
  T value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool complete = error == std::errc{} && end == word.data() + word.size();
  return complete ? std::optional(value) : std::nullopt;
}

}  // namespace

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

std::optional<double> parse_number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  return parse<double>(word);
}

std::optional<std::uint64_t> parse_count(std::string_view word) {
  return parse<std::uint64_t>(word);
}

}  // namespace roadplane
