#pragma once

#include <span>

#include "roadplane/base/recycled.hpp"

namespace roadplane {

/// One LiDAR return in the sensor frame; the 16 bytes of a record in a KITTI velodyne file.
struct Point {
  float x = 0;            ///< [m] forward
  float y = 0;            ///< [m] left
  float z = 0;            ///< [m] up
  float reflectance = 0;  ///< 0..1; 0 where the source has none

  friend bool operator==(const Point&, const Point&) = default;
};
static_assert(sizeof(Point) == 16);

using PointSpan = std::span<const Point>;
using Scan = RecycledVector<Point>;

}  // namespace roadplane
