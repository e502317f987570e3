#include "coordinates.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>

#include "roadplane/geometry/symmetric.hpp"
#include "roadplane/network/gossip.hpp"

namespace roadplane {
namespace {

using Eigensystem = Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>;

constexpr double kScaleAcross = 0.3;  // the scale of the loss, in units of x
constexpr double kRegular = 1e-3;     // of the weighted moment's trace

/// A bound of the objective's curvature along the sphere at w that holds wherever a solve goes from
/// there: the weighted moment. (The curvature itself, which is less, makes solves go to and fro.)
Eigen::Matrix4d curvature_bound(const Eigen::Matrix4d& weighted, const Eigen::Vector4d& w) {
  const Eigen::Matrix4d along = Eigen::Matrix4d::Identity() - w * w.transpose();
  const Eigen::Matrix4d bound = along * weighted * along;
  return bound + (kRegular * bound.trace() + 1e-300) * along;
}

/// How far the points on the plane spread in the direction in which they spread least.
double spread_of(const Eigen::Matrix4d& weighted) {
  return Eigensystem(weighted / std::max(weighted.trace(), 1e-300)).eigenvalues()(1);
}

}  // namespace

Coordinates agree_on_coordinates(Channel& channel, const Reweighing& reweighing,
                                 const AgentPlanes& planes, const Window& window, bool plain) {
  const auto moments = reweighing.moments(planes, window);
  std::array<double, 6 + kTriangleSize> told{};
  std::copy_n(planes.front().data(), 4, told.data());
  pack_triangle(curvature_bound(moments.front().weighted, planes.front()),
                triangle_at(told.data() + 4));
  told[4 + kTriangleSize] = moments.front().points;
  told.back() = spread_of(moments.front().weighted);
  broadcast_from(channel, 0, told);

  Coordinates found;
  found.start = Eigen::Map<const Eigen::Vector4d>(told.data()).normalized();
  found.points = told[4 + kTriangleSize];
  found.spread = told.back();
  const double across = std::min(window.above, window.below) / kScaleAcross;
  if (plain) {
    found.unit = across;
    return found;
  }
  const Eigensystem eigen(unpack_triangle(triangle_at(told.data() + 4)) +
                          across * across * found.start * found.start.transpose());
  found.whiten = eigen.operatorInverseSqrt();
  found.colour = eigen.operatorSqrt();
  found.gain = 1 / (across * across);
  return found;
}

}  // namespace roadplane
