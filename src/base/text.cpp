#include "roadplane/base/text.hpp"

#include <algorithm>
#include <charconv>

namespace roadplane {
namespace {

constexpr std::string_view kBlanks = " \t\r\f\v";

/// Bytes of the character that a text begins with; 0 if they are not UTF-8 (RFC 3629: no
/// surrogates, nothing that a shorter one says, nothing beyond U+10FFFF).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0U) != 0x80) return 0;
  }
  const unsigned second = byte(1);
  const bool wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ||
                     (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90);
  return wrong ? 0 : length;
}

/// Whether a text begins with \xFF, two digits of a number.
bool is_number_of_byte(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return text.size() >= 4 && text.starts_with("\\x") && kDigits.find(text[2]) != kDigits.npos &&
         kDigits.find(text[3]) != kDigits.npos;
}

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

std::string_view take_character(std::string_view& text) {
  const std::string_view character = text.substr(0, std::max<std::size_t>(1, utf8_length(text)));
  text.remove_prefix(character.size());
  return character;
}

std::string utf8_of_name(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  while (!bytes.empty()) {
    const bool plain = utf8_length(bytes) > 0 && !is_number_of_byte(bytes);
    const std::string_view character = take_character(bytes);
    const auto byte = static_cast<unsigned char>(character.front());
    if (plain) {
      text += character;
    } else {
      text += {'\\', 'x', kDigits[byte / 16], kDigits[byte % 16]};
    }
  }
  return text;
}

std::string name_of_utf8(std::string_view text) {
  std::string bytes;
  while (!text.empty()) {
    if (is_number_of_byte(text)) {
      unsigned byte = 0;
      std::from_chars(text.data() + 2, text.data() + 4, byte, 16);
      bytes += static_cast<char>(byte);
      text.remove_prefix(4);
    } else {
      bytes += take_character(text);
    }
  }
  return bytes;
}

std::optional<double> parse_number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  return parse<double>(word);
}

std::optional<std::uint64_t> parse_count(std::string_view word) {
  return parse<std::uint64_t>(word);
}

}  // namespace roadplane
