#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <array>

namespace roadplane {

/// What a camera's lens does to a picture, in the terms of OpenCV and ROS (`plumb_bob`, and
/// `rational_polynomial` with three more numbers).
struct Lens {
  Eigen::Matrix3d k = Eigen::Matrix3d::Identity();            ///< of the picture as it was taken
  std::array<double, 8> d{};                                  ///< k1 k2 p1 p2 k3 k4 k5 k6
  Eigen::Matrix3d r = Eigen::Matrix3d::Identity();            ///< to the rectified camera
  Eigen::Matrix3d rectified_k = Eigen::Matrix3d::Identity();  ///< of the rectified picture

  /// Where a ray x, y, 1 of the camera is on the unit plane of the picture as it was taken.
  Eigen::Vector2d distorted(const Eigen::Vector2d& ray) const {
    const auto [k1, k2, p1, p2, k3, k4, k5, k6] = d;
    const double x = ray.x();
    const double y = ray.y();
    const double rr = x * x + y * y;
    const double radial =
        (1 + rr * (k1 + rr * (k2 + rr * k3))) / (1 + rr * (k4 + rr * (k5 + rr * k6)));
    return {x * radial + 2 * p1 * x * y + p2 * (rr + 2 * x * x),
            y * radial + p1 * (rr + 2 * y * y) + 2 * p2 * x * y};
  }

  /// From pixels u, v, 1 of the rectified picture to rays of the camera.
  Eigen::Matrix3d to_ray() const { return r.transpose() * rectified_k.inverse(); }

  /// The pixel of the picture as it was taken that shows a ray.
  Eigen::Vector2d pixel_of(const Eigen::Vector3d& ray) const {
    return (k * distorted(ray.hnormalized()).homogeneous()).hnormalized();
  }
};

}  // namespace roadplane
