#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace roadplane {

/// Hyperplanes near one that all agents have the same bits of, as three small numbers: w ~ origin +
/// axes offset. What is small can be told in few bits.
class TangentFrame {
 public:
  using Axes = Eigen::Matrix<double, 4, 3>;

  explicit TangentFrame(const Eigen::Vector4d& unit) : origin_(unit) {
    // The reflection that takes a unit vector to the origin takes the others to the axes.
    int axis = 0;
    unit.cwiseAbs().maxCoeff(&axis);
    Eigen::Vector4d across = unit;
    across(axis) += unit(axis) < 0 ? -1 : 1;
    const Eigen::Matrix4d reflection =
        Eigen::Matrix4d::Identity() - 2 / across.squaredNorm() * across * across.transpose();
    for (int c = 0, k = 0; c < 4; ++c) {
      if (c != axis) axes_.col(k++) = reflection.col(c);
    }
  }

  const Eigen::Vector4d& origin() const { return origin_; }
  const Axes& axes() const { return axes_; }

  Eigen::Vector3d offset(const Eigen::Vector4d& w) const {
    return axes_.transpose() * w / origin_.dot(w);
  }
  Eigen::Vector4d hyperplane(const Eigen::Vector3d& offset) const {
    return (origin_ + axes_ * offset).normalized();
  }

 private:
  Eigen::Vector4d origin_;
  Axes axes_;
};

}  // namespace roadplane
