#include "roadplane/base/words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <sstream>

#include "roadplane/base/text.hpp"

namespace roadplane {

std::string alternatives(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (k > 0) text += k + 1 < words.size() ? ", " : " or ";
    text += words[k];
  }
  return text;
}

std::string range_text(double least, double most) {
  return in_digits(least) + " to " + in_digits(most);
}

std::string in_digits(double number) {
  constexpr double kLargest = 1e15;  // up to here whole numbers have all of their digits
  if (std::abs(number) < kLargest && number == std::trunc(number)) {
    return std::to_string(static_cast<std::int64_t>(number));
  }
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

std::string shortened(std::string_view text, std::size_t most) {
  constexpr std::string_view kLeftOut = " ... ";
  if (text.size() <= most || most <= kLeftOut.size()) return std::string(text.substr(0, most));
  const std::size_t end = (most - kLeftOut.size()) / 3;
  const std::size_t begin = most - kLeftOut.size() - end;
  std::string result(text.substr(0, begin));
  result += kLeftOut;
  return result.append(text.substr(text.size() - end));
}

std::string in_one_line(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const std::string_view character = take_character(text);
    const auto first = static_cast<unsigned char>(character.front());
    const bool control = first < ' ' || first == 0x7F;
    const bool second_set = first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
    if (control || second_set || (first >= 0x80 && character.size() == 1)) {
      line += '?';
    } else {
      line += character;
    }
  }
  return line;
}

std::string terminal_text(std::string_view text) {
  constexpr std::size_t kMostBytes = 2000;
  return in_one_line(shortened(text, kMostBytes));
}

std::string in_quotes(std::string_view word) {
  constexpr std::size_t kShown = 40;
  std::string text(word.substr(0, kShown));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return "\"" + text + (word.size() > kShown ? "...\"" : "\"");
}

std::string upper_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  if (text.ends_with(',')) words.emplace_back();
  return words;
}

}  // namespace roadplane
