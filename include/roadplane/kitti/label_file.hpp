#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roadplane::kitti {

/// SemanticKITTI labels, one per point in the scan's order: the class in the low 16 bits, the
/// object instance in the high ones.
using Labels = std::vector<std::uint32_t>;

/// Throws InputError unless the file holds exactly `points` labels.
Labels read_labels(const std::filesystem::path& path, std::size_t points);

/// The labels of a `.label` file's content; `where` begins the message of an InputError.
Labels decode_labels(std::span<const std::byte> bytes, std::size_t points,
                     const std::string& where);

void write_labels(const std::filesystem::path& path, std::span<const std::uint32_t> labels);

/// Some SemanticKITTI classes, called road in an evaluation.
class ClassSet {
 public:
  /// The sets `road` (40 road, 44 parking, 60 lane marking) and `ground` (also 48 sidewalk, 49
  /// other ground, 72 terrain) stand alone; in a comma list such as `road,48` a name is a single
  /// class. Throws FieldError naming `classes`.
  static ClassSet parse(std::string_view text);
  static ClassSet road() { return parse("road"); }

  const std::string& name() const { return name_; }  ///< as it was given
  bool contains(std::uint32_t label) const;

  /// One byte per label: 1 where its class is in the set.
  std::vector<std::uint8_t> mask(std::span<const std::uint32_t> labels) const;

 private:
  std::string name_;
  std::vector<std::uint16_t> classes_;  ///< ascending
};

}  // namespace roadplane::kitti
