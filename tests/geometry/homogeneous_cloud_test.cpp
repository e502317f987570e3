#include "roadplane/geometry/homogeneous_cloud.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "roadplane/kernels/cloud_kernels.hpp"
#include "support/random_data.hpp"

namespace roadplane {
namespace {

using test::random_scan;

TEST(HomogeneousCloud, ColumnsAreUnitAndProportionalToThePoints) {
  for (const std::size_t count : {1U, 3U, 4U, 15U, 16U, 17U, 1000U}) {
    const Scan scan = random_scan(count, 7);
    HomogeneousCloud cloud;
    cloud.assign(scan);
    ASSERT_EQ(cloud.size(), count);
    const std::size_t padded = cloud.group_count() * HomogeneousCloud::kLanes;
    EXPECT_GE(padded, count);
    EXPECT_LT(padded, count + HomogeneousCloud::kLanes);
    std::vector<std::uint32_t> positions(cloud.index().begin(), cloud.index().end());
    for (std::size_t j = 0; j < count; ++j) {
      const Eigen::Vector4d b = cloud.column(j);
      const Point& point = scan[positions[j]];
      EXPECT_NEAR(b.norm(), 1, 3e-7);
      EXPECT_NEAR(b(0) / b(3), point.x, 1e-5 * (1 + std::abs(point.x)));
    }
    std::sort(positions.begin(), positions.end());
    for (std::size_t j = 0; j < count; ++j) EXPECT_EQ(positions[j], j);
    for (std::size_t j = count; j < padded; ++j) EXPECT_EQ(cloud.column(j).norm(), 0);
  }
}

TEST(HomogeneousCloud, EveryGroupIsSpreadOverThePoints) {
  const Scan scan = random_scan(1600, 7);
  HomogeneousCloud cloud;
  cloud.assign(scan);
  for (std::size_t j = 0; j < cloud.size(); ++j) {
    EXPECT_EQ(cloud.index()[j], j % 16 * 100 + j / 16);  // a hundred groups
  }
}

TEST(HomogeneousCloud, ASampleTakesOnePointOfEveryPartAndStandsForAll) {
  constexpr std::size_t kPoints = 10'007;
  const Scan scan = random_scan(kPoints, 7);
  for (const std::size_t most : {1UL, 16UL, 1000UL, 9'999UL, kPoints, 20'000UL}) {
    HomogeneousCloud cloud;
    cloud.assign(scan, {most});
    ASSERT_EQ(cloud.size(), std::min(most, kPoints));
    EXPECT_NEAR(cloud.points(), kPoints, 1e-6);
    std::vector<std::uint32_t> taken(cloud.index().begin(), cloud.index().end());
    std::sort(taken.begin(), taken.end());
    const double part = static_cast<double>(kPoints) / static_cast<double>(taken.size());
    for (std::size_t k = 0; k < taken.size(); ++k) {
      EXPECT_GE(taken[k] + 1, static_cast<double>(k) * part) << most;
      EXPECT_LT(taken[k], static_cast<double>(k + 1) * part) << most;
    }
  }
}

TEST(HomogeneousCloud, ASampleDoesNotFallIntoStepWithTheSensorsLasers) {
  // 64 lasers in turn, of which one in four is taken: every one of them is seen about as often.
  constexpr std::size_t kTaken = 16'384;
  HomogeneousCloud cloud;
  cloud.assign(random_scan(4 * kTaken, 7), {kTaken});
  std::vector<int> seen(64);
  for (const std::uint32_t position : cloud.index()) ++seen[position % 64];
  EXPECT_GT(*std::min_element(seen.begin(), seen.end()), 0.9 * kTaken / 64);
  EXPECT_LT(*std::max_element(seen.begin(), seen.end()), 1.1 * kTaken / 64);
}

TEST(HomogeneousCloud, UnusablePointsAreLeftOutAndTheOthersKeepTheirIndex) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const Scan scan{{1, 2, 3, 0},    {nan, 0, 0, 0},   {0, 0, 0, 0},      {0, inf, 0, 0},
                  {0, 0, -inf, 0}, {1e30F, 0, 0, 0}, {-1, 5, -1.7F, 0}, {1, 1, nan, 0}};
  HomogeneousCloud cloud;
  cloud.assign(scan);
  ASSERT_EQ(cloud.size(), 2U);
  EXPECT_EQ(cloud.index()[0], 0U);
  EXPECT_EQ(cloud.index()[1], 6U);
  EXPECT_TRUE(cloud.second_moment().allFinite());
}

TEST(HomogeneousCloud, ASubsetKeepsTheScansIndices) {
  const Scan scan = random_scan(10, 7);
  const std::vector<std::uint32_t> subset{7, 2, 9};
  HomogeneousCloud cloud;
  cloud.assign(random_scan(100, 7));  // a cloud is reused from frame to frame
  cloud.assign(scan, subset);
  ASSERT_EQ(cloud.size(), 3U);
  EXPECT_EQ(cloud.index()[0], 7U);
  EXPECT_NEAR(cloud.column(2)(0) / cloud.column(2)(3), scan[9].x, 1e-4);
}

TEST(HomogeneousCloud, SecondMomentIsTheMeanOuterProduct) {
  const Scan scan = random_scan(997, 7);
  HomogeneousCloud cloud;
  cloud.assign(scan);
  Eigen::Matrix4d expected = Eigen::Matrix4d::Zero();
  for (std::size_t j = 0; j < cloud.size(); ++j) {
    expected += cloud.column(j) * cloud.column(j).transpose() / 997.0;
  }
  EXPECT_NEAR((cloud.second_moment() - expected).norm(), 0, 1e-14);
  EXPECT_NEAR(cloud.second_moment().trace(), 1, 1e-6);
}

TEST(HomogeneousCloud, AllInstructionSetsGiveTheSameColumns) {
  Scan scan = random_scan(1003, 7);
  scan[500].x = NAN;  // from here on columns are not aligned with the points any more
  scan[777] = {};
  for (std::size_t k = 900; k < 950; k += 3) scan[k] = {};
  std::vector<std::uint32_t> subset;
  for (std::uint32_t k = 0; k < 1003; k += 3) subset.push_back(1002 - k);
  const auto columns = [&](Isa isa, const PointSample& sample) {
    AlignedVector<float> blocks(1024 * 4);
    std::vector<std::uint32_t> index(sample.taken);  // the sanitizer sees what is written beyond
    const std::size_t used =
        cloud_kernels(isa).normalise(PointRows(scan).floats(), sample, 0, (sample.taken + 15) / 16,
                                     0, blocks.data(), index.data());
    blocks.resize(used * 4);
    index.resize(used);
    return std::pair(blocks, index);
  };
  for (const Isa isa : available_isas()) {
    for (const std::size_t taken : {1003, 335, 100}) {
      const PointSample all{nullptr, scan.size(), taken, 77};
      EXPECT_EQ(columns(isa, all), columns(Isa::plain, all)) << to_string(isa);
      const PointSample some{subset.data(), subset.size(), std::min(taken, subset.size()), 77};
      EXPECT_EQ(columns(isa, some), columns(Isa::plain, some)) << to_string(isa);
    }
  }
}

TEST(HomogeneousCloud, AllInstructionSetsGiveTheSameSectors) {
  Scan scan = random_scan(1003, 7);
  scan[500].x = NAN;
  scan[777] = {};
  const auto sectors = [&](Isa isa) {
    std::vector<std::uint16_t> sector(scan.size());
    cloud_kernels(isa).sectors(PointRows(scan).floats(), 4096, sector.data(), nullptr);
    return sector;
  };
  for (const Isa isa : available_isas()) EXPECT_EQ(sectors(isa), sectors(Isa::plain));
  EXPECT_EQ(sectors(Isa::plain)[500], 4095);
}

TEST(HomogeneousCloud, SectorsAreCountedOnTopOfWhatWasCountedBefore) {
  const Scan scan = random_scan(1003, 7);
  for (const Isa isa : available_isas()) {
    for (const std::size_t size : {0, 1, 7, 8, 63, 64, 65, 71, 72, 73, 1000, 1003}) {
      std::vector<std::uint16_t> sector(size);
      std::vector<std::uint32_t> counts(4096, 5);
      std::vector<std::uint32_t> expected = counts;
      cloud_kernels(isa).sectors(PointRows(PointSpan(scan).first(size)).floats(), 4096,
                                 sector.data(), counts.data());
      for (const std::uint16_t s : sector) ++expected[s];
      EXPECT_EQ(counts, expected) << to_string(isa) << ", " << size << " points";
    }
  }
}

TEST(HomogeneousCloud, AllInstructionSetsGiveTheSameLabels) {
  Scan scan = random_scan(1003, 7);
  scan[500].x = NAN;
  scan[777] = {};
  std::vector<std::uint32_t> own;
  for (std::uint32_t k = 0; k < 1003; k += 3) own.push_back(1002 - k);
  for (std::uint32_t k = 490; k < 530; ++k) own.push_back(k);  // and a run
  const float plane[] = {0.01F, -0.02F, 0.99F, 1.7F};
  const auto labels = [&](Isa isa, bool angle, bool all) {
    std::vector<float> residuals(scan.size(), -1);
    std::vector<std::uint8_t> within(scan.size(), 7);
    cloud_kernels(isa).label(PointRows(scan).floats(), all ? nullptr : own.data(),
                             all ? scan.size() : own.size(), plane, angle, 0.5F, residuals.data(),
                             within.data());
    return std::pair(residuals, within);
  };
  for (const bool angle : {false, true}) {
    for (const bool all : {false, true}) {
      const auto plain = labels(Isa::plain, angle, all);
      for (const Isa isa : available_isas()) {
        EXPECT_EQ(labels(isa, angle, all), plain);
        std::vector<std::uint8_t> within(scan.size(), 7);
        cloud_kernels(isa).label(PointRows(scan).floats(), all ? nullptr : own.data(),
                                 all ? scan.size() : own.size(), plane, angle, 0.5F, nullptr,
                                 within.data());
        EXPECT_EQ(within, plain.second) << "without residuals";
      }
      EXPECT_EQ(plain.second[1], all ? plain.second[1] : 7) << "not named";
    }
  }
  const auto [residuals, within] = labels(Isa::plain, true, true);
  EXPECT_EQ(residuals[777], std::numeric_limits<float>::infinity());
  EXPECT_EQ(within[500], 0);
  const Eigen::Vector4d w(plane[0], plane[1], plane[2], plane[3]);
  for (const std::size_t k : {0, 1, 1002}) {
    const Eigen::Vector4d b(scan[k].x, scan[k].y, scan[k].z, 1);
    EXPECT_NEAR(residuals[k], w.dot(b) / b.norm(), 1e-5);
    EXPECT_EQ(within[k], std::abs(residuals[k]) <= 0.5F ? 1 : 0);
  }
}

TEST(HomogeneousCloud, ShardsAtOnceAreTheSameAsOneByOne) {
  const Scan scan = random_scan(5000, 7);
  const Shards shards = make_shards(scan, ShardKind::interleaved, 3);
  const std::vector<int> agents{2, 0};
  std::vector<HomogeneousCloud> clouds(2);
  assign_shards(scan, shards, agents, clouds, {700});
  for (int i = 0; i < 2; ++i) {
    HomogeneousCloud alone;
    alone.assign(scan, shards[agents[i]], {700, static_cast<std::uint32_t>(agents[i])});
    ASSERT_EQ(clouds[i].size(), alone.size());
    EXPECT_EQ(clouds[i].second_moment(), alone.second_moment());
    for (std::size_t j = 0; j < alone.size(); ++j) ASSERT_EQ(clouds[i].column(j), alone.column(j));
  }
}

}  // namespace
}  // namespace roadplane
