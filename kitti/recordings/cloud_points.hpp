#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <string>

#include "messages.hpp"
#include "roadplane/geometry/point.hpp"

namespace roadplane::kitti {

/// The points of a cloud in its order, row by row, those that are missing (NaN) included. Moved
/// before they are rounded to floats. Throws InputError for a layout that cannot be: no x, fields
/// beyond a point, fewer bytes than points.
Scan points_of(const CloudMessage& cloud, const std::optional<Eigen::Isometry3d>& to_sensor,
               const std::string& where);

/// Their number, by the message's head alone.
std::uint64_t count_of(const CloudMessage& cloud);

}  // namespace roadplane::kitti
