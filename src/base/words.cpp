#include "roadplane/base/words.hpp"

#include <sstream>

namespace roadplane {

std::string alternatives(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (k > 0) text += k + 1 < words.size() ? ", " : " or ";
    text += words[k];
  }
  return text;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  if (text.ends_with(',')) words.emplace_back();
  return words;
}

}  // namespace roadplane
