#pragma once

#include <Eigen/Core>
#include <optional>

#include "roadplane/geometry/point.hpp"

namespace roadplane {

/// The plane {p : normal'p + offset_m = 0} in the sensor frame, its normal pointing up.
struct Plane {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< unit length
  double offset_m = 0;  ///< [m] height of the sensor's origin above the plane

  /// From the homogeneous hyperplane w in R^4 (any length and sign). Nothing if w is the plane at
  /// infinity or is not finite. `up` decides the sign; a normal orthogonal to it keeps w's sign.
  static std::optional<Plane> from_hyperplane(const Eigen::Vector4d& w,
                                              const Eigen::Vector3d& up = Eigen::Vector3d::UnitZ());

  /// w = [normal; offset] scaled to unit length.
  Eigen::Vector4d hyperplane() const;

  /// [m] positive above the plane.
  double signed_distance_m(const Point& p) const {
    return normal.x() * p.x + normal.y() * p.y + normal.z() * p.z + offset_m;
  }

  /// |w'b| with b = [x y z 1]/norm: the sine of an angle, about metres per metre of range.
  double angular_residual(const Point& p) const;
};

/// The sine of the angle between b = [p; 1]/norm and the hyperplane w (unit length).
double angular_residual(const Eigen::Vector4d& w, const Point& p);

}  // namespace roadplane
