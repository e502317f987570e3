#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace roadplane {

/// The frame in which a road is sought: z along a floor's normal, the origin above the floor and in
/// the file's own vertical, so that it does not matter where the file's origin is and how it is
/// tilted.
class OwnFrame {
 public:
  static constexpr double kHeightM = 1.73;  ///< [m] of the origin above the floor, as in KITTI

  /// `floor`: n'p + offset = 0 with a unit normal that points up.
  explicit OwnFrame(const Eigen::Vector4d& floor) {
    const Eigen::Vector3d normal = floor.head<3>();
    const Eigen::Vector3d ahead =
        std::abs(normal.x()) < 0.9 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
    const Eigen::Vector3d x = (ahead - normal * normal.dot(ahead)).normalized();
    motion_.row(0) << x.transpose(), 0;
    motion_.row(1) << normal.cross(x).transpose(), 0;
    motion_.row(2) << normal.transpose(), floor(3) - kHeightM;
  }

  /// The floor itself, as every such frame has it.
  static Eigen::Vector4d floor() { return Eigen::Vector4d(0, 0, 1, kHeightM).normalized(); }

  /// From the file's frame to this one.
  const Eigen::Matrix<double, 3, 4>& motion() const { return motion_; }
  Eigen::Vector3d file_origin() const { return motion_.col(3); }
  Eigen::Vector3d file_up() const { return motion_.col(2); }

  /// Hyperplanes, unit.
  Eigen::Vector4d in_file(const Eigen::Vector4d& w) const {
    Eigen::Vector4d result = motion_.transpose() * w.head<3>();
    result(3) += w(3);
    return result.normalized();
  }
  Eigen::Vector4d in_own(const Eigen::Vector4d& w) const {
    const Eigen::Vector3d normal = motion_.leftCols<3>() * w.head<3>();
    return Eigen::Vector4d(normal.x(), normal.y(), normal.z(), w(3) - normal.dot(file_origin()))
        .normalized();
  }

 private:
  Eigen::Matrix<double, 3, 4> motion_;
};

}  // namespace roadplane
