#include "coordinates.hpp"

#include <Eigen/Eigenvalues>
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

/// Of a positive semidefinite matrix, from above and at most 19 % too large: (tr A^8)^(1/8).
double largest_eigenvalue(const Eigen::Matrix4d& a) {
  const Eigen::Matrix4d squared = a * a;
  return std::pow((squared * squared).squaredNorm(), 1.0 / 8);
}

/// The mean of the agents' own moments along the axes, the same bits for everybody: of every entry
/// the largest that anybody sees.
Eigen::Matrix3d agree_on_moment(Channel& channel, std::span<const Eigen::Matrix4d> own,
                                const TangentFrame::Axes& axes, double largest_shard) {
  RecycledVector<double> rows(own.size() * kTriangle);
  double* entry = rows.data();
  for (const Eigen::Matrix4d& moment : own) {
    const Eigen::Matrix3d along = axes.transpose() * moment * axes;
    for_triangle([&](int r, int c) { *entry++ = along(r, c); });
  }
  average_sums(channel, rows, kTriangle, kTolerance, largest_shard);
  std::array<float, kTriangle> most;
  most.fill(-std::numeric_limits<float>::infinity());
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (channel.gone(static_cast<int>(i))) continue;
    for (int k = 0; k < kTriangle; ++k) {
      most[k] = std::max(most[k], static_cast<float>(rows[i * kTriangle + k]));
    }
  }
  channel.flood_max(most);
  Eigen::Matrix3d moment;
  const float* told = most.data();
  for_triangle([&](int r, int c) { moment(r, c) = moment(c, r) = *told++ / largest_shard; });
  return moment;
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
                                       double wider, double largest_shard, Ledger& ledger) {
  std::vector<Eigen::Matrix4d> own;
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    const CloudSums sums(clouds[i], Sampling(channel, i)(clouds[i], kSampleGroups));
    own.push_back(sums.moment(start, window.scaled(wider)));
  }
  ledger.count_samples(Sampling(channel, 0).points(kSampleGroups));
  const TangentFrame::Axes axes = TangentFrame(start).axes();
  const Eigen::Matrix3d moment = agree_on_moment(channel, own, axes, largest_shard);
  AgreedCoordinates found;
  found.coordinates = coordinates_of(start, axes, moment, across_of(window));

  const Eigen::Matrix4d along =
      found.coordinates.whiten * (Eigen::Matrix4d::Identity() - start * start.transpose());
  double largest = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (channel.gone(static_cast<int>(i))) continue;
    const Eigen::Matrix4d seen = along * (own[i] / largest_shard) * along.transpose();
    largest = std::max(largest, largest_eigenvalue(seen));
  }
  std::array<float, 1> told{static_cast<float>(largest)};
  channel.flood_max(told);
  found.largest_curvature = told[0];
  return found;
}

}  // namespace roadplane
