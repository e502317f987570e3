#include "coordinates.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "average_sums.hpp"
#include "roadplane/base/recycled.hpp"
#include "sampling.hpp"
#include "tangent_frame.hpp"

namespace roadplane {
namespace {

constexpr std::size_t kSampleGroups = 480;  // of 16 points each, of all agents
constexpr double kWider = 1.2;              // than the loss, what is weighed: a start is rough
constexpr double kTolerance = 0.1;          // coordinates need not be exact, just the same
constexpr double kScaleAcross = 0.3;        // the scale of the loss, in units of x,
constexpr double kAtM = 10;                 // [m] at this range
constexpr double kRegular = 1e-3;           // of the weighted moment's trace
constexpr int kTriangle = 6;                // of a symmetric 3 x 3 matrix

template <class F>
void for_triangle(const F& f) {
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c <= r; ++c) f(r, c);
  }
}

Eigen::Matrix3d from_triangle(const double* entry) {
  Eigen::Matrix3d matrix;
  for_triangle([&](int r, int c) { matrix(r, c) = matrix(c, r) = *entry++; });
  return matrix;
}

/// The largest eigenvalue of an agent's own moment where the mean is the identity, from above and
/// at most 15 % too large: (tr A^8)^(1/8).
double largest_ratio(const Eigen::Matrix3d& own, Eigen::Matrix3d mean) {
  mean.diagonal().array() += kRegular * std::abs(mean.trace()) + 1e-30;
  const Eigen::Matrix3d ratio = mean.inverse() * own;
  const Eigen::Matrix3d squared = ratio * ratio;
  const Eigen::Matrix3d fourth = squared * squared;
  return std::pow(std::max(0.0, (fourth * fourth).trace()), 1.0 / 8);
}

struct AgreedMoment {
  Eigen::Matrix3d mean;
  double largest_ratio;  ///< of an agent's own to it
};

/// The mean of the agents' own moments, the same bits for everybody: of every entry the largest
/// that anybody sees. How much an agent's own differs from it follows from its view of the mean.
AgreedMoment agree_on_moment(Channel& channel, std::span<const Eigen::Matrix3d> own,
                             double largest_shard) {
  RecycledVector<double> rows(own.size() * kTriangle);
  double* entry = rows.data();
  for (const Eigen::Matrix3d& moment : own) {
    for_triangle([&](int r, int c) { *entry++ = moment(r, c); });
  }
  average_sums(channel, rows, kTriangle, kTolerance, largest_shard);
  std::array<float, kTriangle + 1> most;
  most.fill(-std::numeric_limits<float>::infinity());
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (channel.gone(static_cast<int>(i))) continue;
    const double* seen = &rows[i * kTriangle];
    for (int k = 0; k < kTriangle; ++k) most[k] = std::max(most[k], static_cast<float>(seen[k]));
    const double ratio = largest_ratio(own[i], from_triangle(seen));
    most[kTriangle] = std::max(most[kTriangle], static_cast<float>(ratio));
  }
  channel.flood_max(most);
  std::array<double, kTriangle> told;
  for (int k = 0; k < kTriangle; ++k) told[k] = most[k] / largest_shard;
  return {from_triangle(told.data()), most[kTriangle]};
}

/// In which that moment is the identity and the scale of the loss is as it should be across.
Coordinates coordinates_of(const Eigen::Vector4d& start, const TangentFrame::Axes& axes,
                           const Eigen::Matrix3d& moment, double across) {
  // The weighted moment bounds the objective's curvature along the sphere wherever a solve goes.
  const double trace = std::max(std::abs(moment.trace()), 1e-30);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> along(moment / trace);
  const TangentFrame::Axes directions = axes * along.eigenvectors();
  const Eigen::Vector3d bound = trace * along.eigenvalues().cwiseMax(kRegular);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(
      directions * bound.asDiagonal() * directions.transpose() +
      across * across * start * start.transpose());
  Coordinates found;
  found.start = start;
  found.whiten = eigen.operatorInverseSqrt();
  found.colour = eigen.operatorSqrt();
  found.gain = 1 / (across * across);
  return found;
}

/// The scale of the loss at a usual range, in units of x.
double across_of(const Window& window) {
  return std::min(window.above.at(kAtM), window.below.at(kAtM)) / kScaleAcross;
}

}  // namespace

AgreedCoordinates plain_coordinates(const Eigen::Vector4d& start, const Window& window) {
  AgreedCoordinates found;
  found.coordinates.start = start;
  found.coordinates.unit = across_of(window);
  return found;
}

AgreedCoordinates agree_on_coordinates(Channel& channel, std::span<const HomogeneousCloud> clouds,
                                       const Eigen::Vector4d& start, const Window& window,
                                       double largest_shard, Ledger& ledger) {
  const TangentFrame::Axes axes = TangentFrame(start).axes();
  std::vector<Eigen::Matrix3d> own;
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    const CloudSums sums(clouds[i], Sampling(channel, i)(clouds[i], kSampleGroups));
    own.push_back(axes.transpose() * sums.moment(start, window.scaled(kWider)) * axes);
  }
  ledger.count_samples(Sampling(channel, 0).points(kSampleGroups));
  const AgreedMoment agreed = agree_on_moment(channel, own, largest_shard);
  return {coordinates_of(start, axes, agreed.mean, across_of(window)), agreed.largest_ratio};
}

}  // namespace roadplane
