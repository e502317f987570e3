#include "roadplane/kitti/label_file.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/mapped_file.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/base/text.hpp"

namespace roadplane::kitti {
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
  const std::optional<std::uint64_t> value = parse_count(text);
  if (!value || *value > 0xFFFF) {
    throw FieldError("classes",
                     "road, ground or a comma list of class numbers and of road, parking, "
                     "sidewalk, other-ground, lane-marking, vegetation, terrain",
                     in_quotes(text));
  }
  return static_cast<std::uint16_t>(*value);
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

Labels decode_labels(std::span<const std::byte> bytes, std::size_t points,
                     const std::string& where) {
  if (bytes.size() % sizeof(std::uint32_t) != 0) {
    throw InputError(where, "labels of 4 bytes",
                     std::to_string(bytes.size()) + " bytes, not a multiple of 4");
  }
  const std::size_t count = bytes.size() / sizeof(std::uint32_t);
  if (count != points) {
    throw InputError(where, std::to_string(points) + " labels, one for each point of the scan",
                     std::to_string(count));
  }
  Labels labels(count);
  if (count > 0) std::memcpy(labels.data(), bytes.data(), bytes.size());
  return labels;
}

Labels read_labels(const std::filesystem::path& path, std::size_t points) {
  return decode_labels(MappedFile(path).bytes(), points, path.string());
}

void write_labels(const std::filesystem::path& path, std::span<const std::uint32_t> labels) {
  write_file_atomically(path, std::as_bytes(labels));
}

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

}  // namespace roadplane::kitti
