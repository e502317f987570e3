#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "roadplane/viz/labelled_cloud.hpp"

namespace roadplane::viz {

struct Color {
  std::uint8_t r = 0;
  std::uint8_t g = 0;
  std::uint8_t b = 0;

  friend bool operator==(const Color&, const Color&) = default;
};

/// One line of a legend's colour key.
struct KeyEntry {
  Color color;
  std::string text;
};

/// The colours of a style. Every picture and file takes its colours from here, so that a colour
/// means the same thing everywhere.
class Palette {
 public:
  /// How the points of one class look.
  struct Look {
    Color color;
    double opacity = 1;    ///< factor on the opacity that the distance gives
    bool is_road = false;  ///< labelled road: never dimmed
  };

  static constexpr int kAgentColors = 16;  ///< agents i and i + 16 share a colour

  explicit Palette(OverlayStyle style);

  const std::vector<Look>& looks() const { return looks_; }
  /// Position in looks() of the cloud's i-th point.
  std::size_t look_of(const LabelledCloud& cloud, std::size_t i) const;
  Color color_of(const LabelledCloud& cloud, std::size_t i) const {
    return looks_[look_of(cloud, i)].color;
  }

  /// The colour key of a legend. Agents are as many as the cloud names.
  std::vector<KeyEntry> key(const LabelledCloud& cloud) const;

 private:
  OverlayStyle style_;
  std::vector<Look> looks_;
};

}  // namespace roadplane::viz
