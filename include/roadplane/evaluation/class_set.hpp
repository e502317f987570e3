#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roadplane {

inline constexpr std::uint32_t kRoadLabel = 40;  ///< of points that we label; all others have 0

/// Some SemanticKITTI classes, called positive in a score. A label has its class in the low 16
/// bits, the object instance in the high ones.
class ClassSet {
 public:
  /// The sets `road` and `ground` stand alone; in a comma list such as `road,48` a name is a single
  /// class. Throws FieldError naming `classes`.
  static ClassSet parse(std::string_view text);
  static ClassSet road();    ///< 40 road, 44 parking, 60 lane marking
  static ClassSet ground();  ///< also 48 sidewalk, 49 other ground, 72 terrain

  const std::string& name() const { return name_; }  ///< as it was given
  /// "40, 44, 60"
  std::string numbers() const;
  bool contains(std::uint32_t label) const;
  /// One byte per label: 1 where its class is in the set.
  std::vector<std::uint8_t> mask(std::span<const std::uint32_t> labels) const;

 private:
  std::string name_;
  std::vector<std::uint16_t> classes_;  ///< ascending
};

}  // namespace roadplane
