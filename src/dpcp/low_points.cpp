#include "low_points.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <bit>
#include <cstdint>

#include "own_frame.hpp"
#include "roadplane/base/recycled.hpp"

namespace roadplane {
namespace {

constexpr PolarCells kCells{.sectors = 64, .rings = 24, .nearest_m = 2, .farthest_m = 60};
constexpr double kFromBelow = 0.1;  // of a cell's points
// A point lies on a floor up to these distances: less than half a kerb near by.
constexpr double kToleranceM = 0.04;
constexpr double kToleranceRad = 0.002;

// Units in which moments are told: positions of some metres, heights of some centimetres.
constexpr double kAlongM = 20;

using Axes = Eigen::Matrix<double, 2, 3, Eigen::RowMajor>;

constexpr std::uint32_t kFewLower = 8;  // points: more are not worth looking for one by one

/// Numbers in the order of floats.
std::uint64_t in_order(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits >> 31) != 0 ? std::uint32_t{~bits} : bits | 0x80000000U;
}

/// Two directions in the floor.
Axes axes_of(const Floor& floor) { return OwnFrame(floor).motion().topLeftCorner<2, 3>(); }

}  // namespace

LowPoints::LowPoints(const HomogeneousCloud& cloud) {
  const std::size_t padded = cloud.group_count() * kLanes;
  RecycledVector<std::uint16_t> cell(padded);
  RecycledVector<float> height_m(padded);
  const FloorKernels& kernels = floor_kernels(active_isa());
  kernels.place(cloud.groups(), cloud.group_count(), kCells, cell.data(), height_m.data());
  // The columns in the order of their cells; the last one is that of the columns in none.
  RecycledVector<std::uint32_t> begin(static_cast<std::size_t>(kCells.count()) + 2);
  std::fill(begin.begin(), begin.end(), 0);
  for (const std::uint16_t c : cell) ++begin[c + 1U];
  for (std::size_t c = 1; c < begin.size(); ++c) begin[c] += begin[c - 1];
  RecycledVector<std::uint64_t> order(padded);
  for (std::size_t j = 0; j < padded; ++j)
    order[begin[cell[j]]++] = in_order(height_m[j]) << 32 | j;
  std::uint32_t first = 0;
  for (int c = 0; c < kCells.count(); ++c) {
    const std::uint32_t last = begin[static_cast<std::size_t>(c)];
    if (last > first) {
      const auto rank = static_cast<std::uint32_t>(kFromBelow * (last - first));
      std::uint64_t* const of_cell = &order[first];
      if (rank > kFewLower) std::nth_element(of_cell, of_cell + rank, of_cell + (last - first));
      const std::uint64_t low =
          rank > kFewLower ? of_cell[rank] : kernels.ranked(of_cell, last - first, rank);
      add(cloud.column(static_cast<std::uint32_t>(low)));
    }
    first = last;
  }
}

void LowPoints::add(const Eigen::Vector4d& column) {
  if (count_ % kLanes == 0) {  // a new group of points that lie on no floor
    constexpr float kNowhere = 1e9F;
    groups_.resize(groups_.size() + kGroupFloats, 0);
    std::fill(groups_.end() - 2 * kLanes, groups_.end(), kNowhere);
  }
  const Eigen::Vector3d p = column.head<3>() / column(3);
  float* entry = &groups_[count_ / kLanes * kGroupFloats + count_ % kLanes];
  for (int r = 0; r < 3; ++r) entry[r * kLanes] = static_cast<float>(p(r));
  entry[3 * kLanes] = static_cast<float>(1 / (kToleranceM + kToleranceRad * p.head<2>().norm()));
  ++count_;
}

void LowPoints::weigh(const std::vector<Floor>& floors, FloorCounts* counts) const {
  if (floors.empty()) return;
  floor_kernels(active_isa()).weigh(points(), floors.front().data(), floors.size(), kNear, counts);
}

void LowPoints::moments(const Floor& floor, double* sums) const {
  const Axes axes = axes_of(floor) / kAlongM;
  floor_kernels(active_isa()).moments(points(), floor.data(), axes.data(), sums);
  for (int k = 6; k < 9; ++k) sums[k] /= kToleranceM;
}

Floor moved_floor(const Floor& floor, const Eigen::Vector3d& step) {
  Floor moved = floor;
  moved.head<3>() += axes_of(floor).transpose() * step.head<2>();
  moved(3) += step(2);
  return moved / moved.head<3>().norm();
}

Eigen::Vector3d step_between(const Floor& from, const Floor& to) {
  const double cosine = from.head<3>().dot(to.head<3>());
  const Eigen::Vector2d turn = axes_of(from) * to.head<3>() / cosine;
  return {turn(0), turn(1), to(3) / cosine - from(3)};
}

Eigen::Vector3d settling_step(const double* sums) {
  constexpr double kRegular = 1e-3;  // of the points: a narrow sector hardly says how a road rolls
  const double points = sums[0];
  Eigen::Matrix3d moment;
  moment << sums[3], sums[4], sums[1], sums[4], sums[5], sums[2], sums[1], sums[2], points;
  moment.diagonal().array() += kRegular * points + 1e-30;
  const Eigen::Vector3d step =
      moment.inverse() * Eigen::Vector3d(sums[7], sums[8], sums[6]) * -kToleranceM;
  if (!step.allFinite()) return Eigen::Vector3d::Zero();
  return {step(0) / kAlongM, step(1) / kAlongM, step(2)};
}

double sine_between(const Floor& one, const Floor& other) {
  const double cosine = OwnFrame(one).in_own(other).dot(OwnFrame::floor());
  return std::sqrt(std::max(0.0, 1 - cosine * cosine));
}

}  // namespace roadplane
