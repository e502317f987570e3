#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "roadplane/geometry/point.hpp"

namespace roadplane {
struct SeenRoad;
}

namespace roadplane::viz {

/// What is drawn: a scan and what is known of each of its points, in the scan's order.
struct LabelledCloud {
  PointSpan points = {};
  std::span<const std::uint8_t> road = {};    ///< 1 = labelled road, 0 = not
  std::span<const std::uint8_t> truth = {};   ///< kPositive, kNegative or kLeftOut; empty if none
  std::span<const std::uint16_t> owner = {};  ///< the agent that holds the point; empty if unknown
  std::span<const float> height_m = {};       ///< [m] above the ground; empty if unknown
  std::string_view surface = "road";          ///< what the labelled points are, for a key
  const SeenRoad* view = nullptr;             ///< of the road, to be drawn; null if unknown
};

/// What the colours mean.
enum class OverlayStyle {
  labels,  ///< road blue, everything else red
  truth,   ///< true and false, positives and negatives; needs LabelledCloud::truth
  agents,  ///< one colour an agent, its road points brighter; needs LabelledCloud::owner
};

std::string_view to_string(OverlayStyle style);
/// Throws FieldError that lists the known names.
OverlayStyle overlay_style_from_string(std::string_view name);

/// Throws std::invalid_argument naming the member whose count is not that of the points, or that
/// `style` needs and is not there.
void validate(const LabelledCloud& cloud, OverlayStyle style);

/// Whether the point is drawn at all: missing returns (the origin), NaN and infinite ones are not.
bool is_drawable(const Point& point);

}  // namespace roadplane::viz
