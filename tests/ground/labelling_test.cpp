#include "roadplane/ground/labelling.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "roadplane/base/input_error.hpp"
#include "roadplane/geometry/plane.hpp"
#include "support/random_data.hpp"

namespace roadplane {
namespace {

const Plane kRoad{Eigen::Vector3d(0.02, -0.01, 1).normalized(), 1.7};

TEST(Labelling, ResidualsAreThePlanesDistances) {
  const Scan scan = test::random_scan(500, 1);
  std::vector<float> angle;
  std::vector<float> metres;
  residuals(scan, 3 * kRoad.hyperplane(), ResidualUnit::angle, angle);
  residuals(scan, -kRoad.hyperplane(), ResidualUnit::metres, metres);
  for (std::size_t k = 0; k < scan.size(); ++k) {
    EXPECT_NEAR(std::abs(angle[k]), kRoad.angular_residual(scan[k]), 1e-6);
    EXPECT_EQ(angle[k] < 0, kRoad.signed_distance_m(scan[k]) < 0);
    EXPECT_NEAR(-metres[k], kRoad.signed_distance_m(scan[k]), 2e-5);
  }
}

TEST(Labelling, EveryPointIsLabelledOnceAndUnusableOnesAreNotRoad) {
  Scan scan = test::random_scan(100, 1);
  scan[3] = {NAN, 0, 0, 0};
  scan[4] = {0, 0, 0, 0};
  scan[5] = {INFINITY, 0, 0, 0};
  scan[6] = {1e30F, 0, 0, 0};
  for (const ResidualUnit unit : {ResidualUnit::angle, ResidualUnit::metres}) {
    std::vector<float> r;
    std::vector<std::uint8_t> road;
    residuals(scan, kRoad.hyperplane(), unit, r);
    const std::size_t count = label_road(r, 1e6, road);
    ASSERT_EQ(road.size(), 100U);
    EXPECT_EQ(count, 96U);
    for (const int k : {3, 4, 5, 6}) EXPECT_EQ(road[k], 0);
  }
}

TEST(Labelling, TheThresholdSeparates) {
  const std::vector<float> r{-0.001F, 0.011F, -0.02F, INFINITY};
  std::vector<std::uint8_t> road;
  EXPECT_EQ(label_road(r, 0.015, road), 2U);
  EXPECT_EQ(road, (std::vector<std::uint8_t>{1, 1, 0, 0}));
}

TEST(Threshold, ParsesAnglesMetresAndAuto) {
  EXPECT_EQ(Threshold::parse("0.011rad").value, 0.011);
  EXPECT_EQ(Threshold::parse("0.011rad").unit, ResidualUnit::angle);
  EXPECT_EQ(Threshold::parse("0.15m").unit, ResidualUnit::metres);
  EXPECT_TRUE(Threshold::parse("auto").automatic);
  for (const char* text : {"0.011rad", "0.15m", "auto"}) {
    EXPECT_EQ(Threshold::parse(text).to_string(), text);
  }
  for (const char* text :
       {"", "0.1", "m", "-1m", "0rad", "2rad", "11m", "nanm", "0.1ft", "0.1m "}) {
    EXPECT_THROW(Threshold::parse(text), InputError) << text;
  }
}

/// Normal scatter of the road, with a kerb and a wall above it: only the scatter counts.
TEST(AutoThreshold, IsWhereTheScatterBelowTheRoadEnds) {
  CounterRandom random(5, RandomUse::user);
  for (const double sigma : {0.002, 0.004, 0.008}) {
    std::vector<float> r;
    for (int k = 0; k < 60'000; ++k) r.push_back(static_cast<float>(sigma * random.normal()));
    for (int k = 0; k < 60'000; ++k) r.push_back(static_cast<float>(random.uniform()));
    for (int k = 0; k < 20'000; ++k)
      r.push_back(static_cast<float>(0.02 + 0.003 * random.normal()));
    // exp(-t^2 / (2 sigma^2)) = 0.1
    EXPECT_NEAR(auto_threshold(histogram_below(r)), sigma * std::sqrt(2 * std::log(10.0)), 1e-3)
        << sigma;
  }
}

TEST(AutoThreshold, NothingToChooseFrom) {
  EXPECT_GT(auto_threshold(ResidualHistogram{}), 0);
  const std::vector<float> unusable(10, INFINITY);
  EXPECT_GT(auto_threshold(histogram_below(unusable)), 0);
}

}  // namespace
}  // namespace roadplane
