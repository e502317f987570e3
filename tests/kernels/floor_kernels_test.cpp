// The loops of the search for a floor against plain ones, on every instruction set.

#include "roadplane/kernels/floor_kernels.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "roadplane/base/aligned.hpp"
#include "roadplane/base/counter_random.hpp"
#include "roadplane/geometry/homogeneous_cloud.hpp"

namespace roadplane {
namespace {

constexpr PolarCells kCells{.sectors = 64, .rings = 24, .nearest_m = 2, .farthest_m = 60};
constexpr std::size_t kPoints = 1237;  // not a multiple of a group

Scan points_around() {
  CounterRandom random(3, RandomUse::user);
  Scan scan(kPoints);
  for (Point& p : scan) {
    const double range_m = std::exp(4.6 * random.uniform());
    const double angle = 6.2832 * random.uniform();
    p = {static_cast<float>(range_m * std::cos(angle)),
         static_cast<float>(range_m * std::sin(angle)), static_cast<float>(random.normal() - 1.7),
         0};
  }
  scan[5] = {0, 0, -1, 0};  // without an azimuth
  return scan;
}

HomogeneousCloud cloud_of(const Scan& scan) {
  HomogeneousCloud cloud;
  cloud.assign(scan);
  return cloud;
}

/// In groups of 16, the last of them filled up with points that lie nowhere.
AlignedVector<float> floor_groups(const Scan& scan) {
  AlignedVector<float> groups((scan.size() + 15) / 16 * 64, 1e9F);
  for (std::size_t k = 0; k < scan.size(); ++k) {
    const Point& p = scan[k];
    float* entry = &groups[k / 16 * 64 + k % 16];
    entry[0] = p.x;
    entry[16] = p.y;
    entry[32] = p.z;
    entry[48] = 1 / (0.05F + 0.002F * std::hypot(p.x, p.y));
  }
  return groups;
}

const Eigen::Vector4d kPlane = [] {
  const Eigen::Vector3d normal = Eigen::Vector3d(0.02, -0.03, 1).normalized();
  return Eigen::Vector4d(normal.x(), normal.y(), normal.z(), 1.72);
}();

TEST(FloorKernels, CellsHoldPointsOfOneSectorAndRing) {
  const Scan scan = points_around();
  const HomogeneousCloud cloud = cloud_of(scan);
  std::vector<std::vector<std::uint16_t>> of_isa;
  for (const Isa isa : available_isas()) {
    std::vector<std::uint16_t> cell(cloud.group_count() * 16);
    AlignedVector<float> height_m(cell.size());
    floor_kernels(isa).place(cloud.groups(), cloud.group_count(), kCells, cell.data(),
                             height_m.data());
    for (std::size_t j = 0; j < cloud.size(); ++j) {
      const Point& p = scan[cloud.index()[j]];
      const double range_m = std::hypot(p.x, p.y);
      const bool inside = range_m >= 2.0001 && range_m < 59.999;
      const bool outside = range_m < 1.9999 || range_m > 60.001;
      if (inside) {
        EXPECT_LT(cell[j], kCells.count()) << range_m;
      }
      if (outside) {
        EXPECT_EQ(cell[j], kCells.count()) << range_m;
      }
      if (!inside) continue;
      EXPECT_NEAR(height_m[j], p.z, 1e-4 * (1 + range_m));
      // Rings are narrower than a quarter of their range, sectors than eight degrees.
      for (std::size_t k = 0; k < j; ++k) {
        if (cell[k] != cell[j]) continue;
        const Point& q = scan[cloud.index()[k]];
        EXPECT_LT(range_m / std::hypot(q.x, q.y), 1.25);
        const double sine = (p.x * q.y - p.y * q.x) / (range_m * std::hypot(q.x, q.y));
        EXPECT_LT(std::abs(sine), std::sin(8 * M_PI / 180));
        EXPECT_GT(p.x * q.x + p.y * q.y, 0);
      }
    }
    for (std::size_t j = cloud.size(); j < cell.size(); ++j) EXPECT_EQ(cell[j], kCells.count());
    of_isa.push_back(cell);
  }
  for (const auto& cells : of_isa) EXPECT_EQ(cells, of_isa.front());
}

TEST(FloorKernels, RankedNumbersAreThoseOfASortedList) {
  CounterRandom random(9, RandomUse::user);
  for (const std::size_t count : {1, 7, 20, 83}) {
    std::vector<std::uint64_t> numbers(count);
    for (std::uint64_t& number : numbers)
      number = std::uint64_t{random()} << 32 | (&number - numbers.data());
    numbers[0] = 0;
    std::vector<std::uint64_t> sorted = numbers;
    std::sort(sorted.begin(), sorted.end());
    for (const Isa isa : available_isas()) {
      for (std::size_t rank = 0; rank < std::min<std::size_t>(count, 9); ++rank)
        EXPECT_EQ(floor_kernels(isa).ranked(numbers.data(), count, rank), sorted[rank]);
    }
  }
}

TEST(FloorKernels, MovedColumnsAreThoseOfMovedPoints) {
  Scan scan = points_around();
  const HomogeneousCloud cloud = cloud_of(scan);
  Eigen::Matrix<double, 3, 4, Eigen::RowMajor> motion;
  motion.leftCols<3>() = Eigen::AngleAxisd(0.3, Eigen::Vector3d(1, 2, 3).normalized()).matrix();
  motion.col(3) << 0.5, -1, 2;
  for (const Isa isa : available_isas()) {
    AlignedVector<float> moved(cloud.group_count() * 64);
    floor_kernels(isa).move(cloud.groups(), cloud.group_count(), motion.data(), moved.data());
    for (std::size_t j = 0; j < cloud.size(); ++j) {
      const Point& p = scan[cloud.index()[j]];
      const Eigen::Vector3d q = motion * Eigen::Vector4d(p.x, p.y, p.z, 1);
      const Eigen::Vector4d expected = q.homogeneous().normalized();
      for (std::size_t r = 0; r < 4; ++r) {
        EXPECT_NEAR(moved[j / 16 * 64 + j % 16 + 16 * r], expected(static_cast<int>(r)), 1e-6);
      }
    }
    for (std::size_t j = cloud.size(); j < cloud.group_count() * 16; ++j) {
      EXPECT_EQ(moved[j / 16 * 64 + j % 16 + 48], 0);  // what fills a group stays empty
    }
  }
}

TEST(FloorKernels, CountsAndMomentsAreThePlainSums) {
  Scan scan = points_around();
  for (std::size_t k = 0; k < scan.size(); k += 2) {  // half of them near the plane
    CounterRandom random(k, RandomUse::user);
    scan[k].z = static_cast<float>(-(kPlane(0) * scan[k].x + kPlane(1) * scan[k].y + kPlane(3)) /
                                       kPlane(2) +
                                   0.1 * random.normal());
  }
  const AlignedVector<float> groups = floor_groups(scan);
  constexpr float kDepth = 4;
  const Eigen::Matrix<double, 2, 3, Eigen::RowMajor> axes =
      Eigen::Matrix<double, 2, 3>::Identity() / 20;
  FloorCounts expected{};
  std::array<double, FloorKernels::kMoments> moments{};
  for (std::size_t k = 0; k < scan.size(); ++k) {
    const Eigen::Vector3d p(scan[k].x, scan[k].y, scan[k].z);
    const double h = kPlane.head<3>().dot(p) + kPlane(3);
    const double t = h * groups[k / 16 * 64 + k % 16 + 48];
    const double weight = std::pow(std::max(0.0, 1 - t * t), 2);
    expected.on += weight;
    expected.near += std::abs(t) < kDepth ? 1 : 0;
    expected.below += t < -1 && t > -kDepth ? 1 : 0;
    const Eigen::Vector2d at = axes * p;
    const std::array<double, FloorKernels::kMoments> terms{
        1, at(0), at(1), at(0) * at(0), at(0) * at(1), at(1) * at(1), h, h * at(0), h * at(1)};
    for (std::size_t n = 0; n < terms.size(); ++n) moments[n] += weight * terms[n];
  }
  ASSERT_GT(expected.on, 100);
  ASSERT_GT(expected.below, 100);
  for (const Isa isa : available_isas()) {
    const FloorPoints points{groups.data(), groups.size() / 64};
    const std::array<Eigen::Vector4d, 2> planes{Eigen::Vector4d(0, 0, 1, 50), kPlane};
    std::array<FloorCounts, 2> counts;
    floor_kernels(isa).weigh(points, planes[0].data(), 2, kDepth, counts.data());
    EXPECT_EQ(counts[0].near, 0);
    EXPECT_NEAR(counts[1].on, expected.on, 0.05);
    EXPECT_NEAR(counts[1].below, expected.below, 1);
    EXPECT_NEAR(counts[1].near, expected.near, 1);
    std::array<double, FloorKernels::kMoments> sums;
    floor_kernels(isa).moments(points, kPlane.data(), axes.data(), sums.data());
    for (std::size_t n = 0; n < sums.size(); ++n) EXPECT_NEAR(sums[n], moments[n], 0.05) << n;
  }
}

}  // namespace
}  // namespace roadplane
