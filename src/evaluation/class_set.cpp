#include "roadplane/evaluation/class_set.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/nearest_word.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane {
namespace {

constexpr std::array<std::pair<std::string_view, std::uint16_t>, 7> kClasses{{
    {"road", 40},
    {"parking", 44},
    {"sidewalk", 48},
    {"other-ground", 49},
    {"lane-marking", 60},
    {"vegetation", 70},
    {"terrain", 72},
}};

std::uint16_t parse_class(std::string_view text) {
  for (const auto& [name, number] : kClasses) {
    if (text == name) return number;
  }
  std::uint16_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) {
    std::vector<std::string_view> names;
    for (const auto& [name, number] : kClasses) names.push_back(name);
    const std::string meant(nearest_word(text, names));
    throw FieldError(
        "classes",
        "road, ground or a comma list of class numbers and of road, parking, "
        "sidewalk, other-ground, lane-marking, vegetation, terrain",
        in_quotes(text) + (meant.empty() ? "" : std::string(" (did you mean ") + meant + "?)"));
  }
  return value;
}

std::vector<std::uint16_t> parse_list(std::string_view text) {
  std::vector<std::uint16_t> classes;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    classes.push_back(parse_class(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  std::sort(classes.begin(), classes.end());
  return classes;
}

}  // namespace

ClassSet ClassSet::parse(std::string_view text) {
  ClassSet set;
  set.name_ = text;
  if (text == "road") {
    set.classes_ = {40, 44, 60};
  } else if (text == "ground") {
    set.classes_ = {40, 44, 48, 49, 60, 72};
  } else {
    set.classes_ = parse_list(text);
  }
  return set;
}

ClassSet ClassSet::road() { return parse("road"); }

ClassSet ClassSet::ground() { return parse("ground"); }

std::string ClassSet::numbers() const {
  std::string text;
  for (const std::uint16_t number : classes_) {
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  }
  return text;
}

bool ClassSet::contains(std::uint32_t label) const {
  return std::binary_search(classes_.begin(), classes_.end(),
                            static_cast<std::uint16_t>(label & 0xFFFFU));
}

std::vector<std::uint8_t> ClassSet::mask(std::span<const std::uint32_t> labels) const {
  std::vector<std::uint8_t> mask(labels.size());
  std::transform(labels.begin(), labels.end(), mask.begin(),
                 [this](std::uint32_t label) { return contains(label) ? 1 : 0; });
  return mask;
}

}  // namespace roadplane
