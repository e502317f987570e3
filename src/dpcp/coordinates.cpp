#include "coordinates.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>

#include "roadplane/network/gossip.hpp"

namespace roadplane {
namespace {

constexpr double kScaleAcross = 0.3;  // the scale of the loss, in units of x
constexpr double kRegular = 1e-3;     // of the weighted moment's trace

template <class F>
void for_triangle(const F& f) {
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c <= r; ++c) f(r, c);
  }
}

}  // namespace

Coordinates agree_on_coordinates(Channel& channel, const TangentFrame& frame,
                                 const Eigen::Vector4d& plane, const Eigen::Matrix3d& own_view,
                                 const Window& window, bool plain) {
  std::array<float, 9> told{};
  Eigen::Map<Eigen::Vector3f> offset(told.data());
  offset = frame.offset(plane).cast<float>();
  float* entry = told.data() + 3;
  for_triangle([&](int r, int c) { *entry++ = static_cast<float>(own_view(r, c)); });
  broadcast_from(channel, 0, told);
  Eigen::Matrix3d moment;
  entry = told.data() + 3;
  for_triangle([&](int r, int c) { moment(r, c) = moment(c, r) = *entry++; });

  Coordinates found;
  found.start = frame.hyperplane(offset.cast<double>());
  // The weighted moment bounds the objective's curvature along the sphere wherever a solve goes.
  // (The curvature itself, which is less, makes solves go to and fro.)
  const double trace = std::max(std::abs(moment.trace()), 1e-30);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> along(moment / trace);
  found.spread = along.eigenvalues().minCoeff();
  const double across = std::min(window.above, window.below) / kScaleAcross;
  if (plain) {
    found.unit = across;
    return found;
  }
  const TangentFrame::Axes axes = TangentFrame(found.start).axes();
  const Eigen::Matrix3d turn = axes.transpose() * frame.axes();
  const TangentFrame::Axes directions = axes * turn * along.eigenvectors();
  const Eigen::Vector3d bound = trace * along.eigenvalues().cwiseMax(kRegular);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(
      directions * bound.asDiagonal() * directions.transpose() +
      across * across * found.start * found.start.transpose());
  found.whiten = eigen.operatorInverseSqrt();
  found.colour = eigen.operatorSqrt();
  found.gain = 1 / (across * across);
  return found;
}

}  // namespace roadplane
