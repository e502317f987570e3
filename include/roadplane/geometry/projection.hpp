#pragma once

#include <Eigen/Core>
#include <optional>

#include "roadplane/geometry/point.hpp"

namespace roadplane {

/// Where a LiDAR point appears on the camera image.
struct Pixel {
  double u = 0;        ///< [px] to the right
  double v = 0;        ///< [px] downwards
  double depth_m = 0;  ///< [m] in front of the camera
};

/// The camera as seen from the LiDAR: pixel ~ P [R_rect 0; 0 1] [R T; 0 1] [x y z 1]'.
class Projection {
 public:
  static constexpr double kMinDepthM = 0.1;  ///< [m] nearer points count as behind the camera

  Projection() = default;
  explicit Projection(const Eigen::Matrix<double, 3, 4>& lidar_to_pixel)
      : matrix_(lidar_to_pixel) {}

  const Eigen::Matrix<double, 3, 4>& matrix() const { return matrix_; }

  /// Nothing for a point behind the camera or not finite. The pixel may lie outside the image.
  std::optional<Pixel> operator()(const Point& p) const {
    const Eigen::Vector3d q = matrix_ * Eigen::Vector4d(p.x, p.y, p.z, 1.0);
    if (!(q.z() >= kMinDepthM) || !q.allFinite()) return std::nullopt;
    return Pixel{q.x() / q.z(), q.y() / q.z(), q.z()};
  }

  /// The same, and nothing outside an image of `width` x `height` pixels.
  std::optional<Pixel> within(const Point& p, int width, int height) const {
    const auto pixel = (*this)(p);
    if (!pixel || !(pixel->u >= 0 && pixel->u < width && pixel->v >= 0 && pixel->v < height)) {
      return std::nullopt;
    }
    return pixel;
  }

 private:
  Eigen::Matrix<double, 3, 4> matrix_ = Eigen::Matrix<double, 3, 4>::Zero();
};

}  // namespace roadplane
