#pragma once

#include <Eigen/Core>
#include <span>

#include "roadplane/network/channel.hpp"
#include "roadplane/objective/window.hpp"
#include "roadplane/solver/ledger.hpp"

namespace roadplane {

/// Coordinates for a solve near a hyperplane, the same bits for every agent: x = colour w, so that
/// the objective has curvature 1 in all directions along the sphere at the start.
struct Coordinates {
  Eigen::Vector4d start = Eigen::Vector4d::UnitZ();      ///< the hyperplane that they are made for
  Eigen::Matrix4d whiten = Eigen::Matrix4d::Identity();  ///< w ~ whiten x
  Eigen::Matrix4d colour = Eigen::Matrix4d::Identity();
  double gain = 1;  ///< by which the objective is multiplied to have curvature 1
  double unit = 1;  ///< of x, in units of the loss's scale

  Eigen::Vector4d to_whitened(const Eigen::Vector4d& w) const { return (colour * w).normalized(); }
  /// Of a gradient in x, that in w, and the other way.
  Eigen::Vector4d to_common(const Eigen::Vector4d& gradient) const {
    return colour * gradient / gain;
  }
  Eigen::Vector4d from_common(const Eigen::Vector4d& gradient) const {
    return whiten * gradient * gain;
  }
  Eigen::Vector4d from_whitened(const Eigen::Vector4d& x) const {
    return (whiten * x).normalized();
  }
};

/// Coordinates at a hyperplane of which all agents have the same bits, and the curvature in them.
struct AgreedCoordinates {
  Coordinates coordinates;
  double largest_curvature = 1;  ///< that any agent's own function has there
};

/// The agents gossip the weighted moment that they see at the hyperplane, and take of every entry
/// the largest that anybody sees, so that their coordinates are the same. Plain ones, those of
/// hyperplanes themselves, need no talking.
AgreedCoordinates plain_coordinates(const Eigen::Vector4d& start, const Window& window);
AgreedCoordinates agree_on_coordinates(Channel& channel, std::span<const HomogeneousCloud> clouds,
                                       const Eigen::Vector4d& start, const Window& window,
                                       double largest_shard, Ledger& ledger);

}  // namespace roadplane
