#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "roadplane/geometry/rgb_image.hpp"

namespace roadplane::viz {

/// A point of a vehicle's scan in the frame that all share.
struct SeenPoint {
  float x = 0;  ///< [m]
  float y = 0;  ///< [m]
  std::uint16_t vehicle = 0;
  std::uint16_t labelled = 0;  ///< 1: as road or ground
};

struct MappedVehicle {
  std::string name;
  double x = 0;  ///< [m]
  double y = 0;  ///< [m]
  bool doubted = false;
};

/// A fleet from above, x to the right and y up: the points of every vehicle in its colour, those
/// labelled brighter, the vehicles by name, those that are doubted marked, and who talks to whom.
RgbImage draw_fleet_map(std::span<const MappedVehicle> vehicles,
                        std::span<const std::pair<int, int>> links,
                        std::span<const SeenPoint> points, const std::vector<std::string>& legend);

}  // namespace roadplane::viz
