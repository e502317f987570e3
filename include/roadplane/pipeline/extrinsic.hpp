#pragma once

#include <Eigen/Geometry>

namespace roadplane {

/// A LiDAR's place on its vehicle: turned by Rz(yaw) Ry(pitch) Rx(roll), then moved.
struct Extrinsic {
  Eigen::Vector3d place_m = Eigen::Vector3d::Zero();
  double roll_deg = 0;
  double pitch_deg = 0;
  double yaw_deg = 0;

  static Extrinsic of(const Eigen::Isometry3d& to_vehicle);
  Eigen::Isometry3d to_vehicle() const;

  /// The same with roll and pitch such that the normal of the road, `own` in the LiDAR's frame, is
  /// `road` in the vehicle's; yaw stays. Of two solutions the nearer one.
  Extrinsic turned_to(const Eigen::Vector3d& own, const Eigen::Vector3d& road) const;
};

}  // namespace roadplane
