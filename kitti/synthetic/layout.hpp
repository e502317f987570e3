#pragma once

#include "ground.hpp"

namespace roadplane::kitti::synthetic {

/// [m] what the LiDAR can reach.
inline constexpr double kLidarReachM = 85;

/// The street whose own road share is nearest to the one asked for, so that little has to be
/// thinned out: fuller for more outliers, and as wide as bisection finds.
StreetLayout layout_for(const SceneOptions& options);

}  // namespace roadplane::kitti::synthetic
