#pragma once

#include <string>

#include "roadplane/ground/road_edges.hpp"
#include "roadplane/kitti/frame.hpp"

namespace roadplane {

/// The edges of a frame's road, its drivable area and what is seen around the sensor, as JSON;
/// docs/road.md says what its keys mean.
std::string edges_text(const kitti::Frame& frame, const SeenRoad& view);

}  // namespace roadplane
