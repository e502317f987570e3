#pragma once

#include <Eigen/Core>

#include "reweighing.hpp"

namespace roadplane {

/// Coordinates for a solve near a hyperplane, the same bits for every agent: x = colour w, so that
/// the objective has curvature 1 in all directions along the sphere at the start.
struct Coordinates {
  Eigen::Vector4d start = Eigen::Vector4d::UnitZ();      ///< the hyperplane that they are made for
  Eigen::Matrix4d whiten = Eigen::Matrix4d::Identity();  ///< w ~ whiten x
  Eigen::Matrix4d colour = Eigen::Matrix4d::Identity();
  double spread = 0;  ///< least second moment along the plane of the points on it
  double unit = 1;    ///< of x, in units of the loss's scale
  double gain = 1;    ///< by which the objective is multiplied to have curvature 1

  Eigen::Vector4d to_whitened(const Eigen::Vector4d& w) const { return (colour * w).normalized(); }
  Eigen::Vector4d from_whitened(const Eigen::Vector4d& x) const {
    return (whiten * x).normalized();
  }
};

/// The coordinates that agent 0 finds from its view of the plane and of the weighted moment along
/// the frame's axes (those of others do not count), told to everybody by flooding: views agree
/// roughly, coordinates must agree exactly. Plain ones are those of hyperplanes themselves.
Coordinates agree_on_coordinates(Channel& channel, const TangentFrame& frame,
                                 const Eigen::Vector4d& plane, const Eigen::Matrix3d& moment,
                                 const Window& window, bool plain);

}  // namespace roadplane
