#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>

#include "roadplane/geometry/point.hpp"

namespace roadplane {

/// How far one plane is from another, in terms that do not depend on the frame of reference, as
/// the recovery error does.
struct PlaneDistance {
  double angle_deg = 0;  ///< between the normals
  double height_m = 0;   ///< between the planes at a place

  /// Whether one of the planes is not the other one's road at all.
  bool far_apart() const { return angle_deg > 5 || height_m > 0.15; }
};

/// Of the hyperplane w from `truth`, and at the point of `truth` nearest to `place`. Nothing if
/// one of them is no plane.
std::optional<PlaneDistance> plane_distance(const Eigen::Vector4d& w, const Eigen::Vector4d& truth,
                                            const Eigen::Vector3d& place);

/// Where the heights of planes are compared: the mean of the points of the mask (of all, if it is
/// empty) within their median horizontal range. Points at the origin are none. The origin if there
/// are no points.
Eigen::Vector3d middle_of_near_points(PointSpan points, std::span<const std::uint8_t> mask);

}  // namespace roadplane
