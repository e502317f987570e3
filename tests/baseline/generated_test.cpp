// What every baseline owes on generated points, whatever its method.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "baseline_data.hpp"
#include "roadplane/baseline/registry.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "support/random_data.hpp"

namespace roadplane {
namespace {

using test::collinear_scan;
using test::road_hyperplane;
using test::road_scan;

class EveryBaseline : public testing::TestWithParam<std::string_view> {
 protected:
  static BaselineResult run(PointSpan points) { return run_baseline(GetParam(), points); }

  static void expect_degenerate(PointSpan points, const std::string& why) {
    const BaselineResult result = run(points);
    EXPECT_EQ(result.degeneracy, why);
    EXPECT_FALSE(result.found());
    EXPECT_EQ(result.w.norm(), 0);
  }
};

TEST_P(EveryBaseline, FindsAnExactPlane) {
  const BaselineResult result = run(road_scan(5000, 0));
  ASSERT_EQ(result.degeneracy, "");
  EXPECT_NEAR(result.w.norm(), 1, 1e-12);
  EXPECT_GT(result.w.z(), 0);
  EXPECT_LT(recovery_error(result.w, road_hyperplane()), 1e-5);  // floats, PCL's sums too
  EXPECT_GE(result.seconds, 0);
}

TEST_P(EveryBaseline, PointsUpwardsAlsoFromBelowThePlane) {
  Scan scan = road_scan(5000, 0.1, 0.01);
  for (Point& p : scan) p.z = -p.z;
  const BaselineResult result = run(scan);
  ASSERT_EQ(result.degeneracy, "");
  EXPECT_GT(result.w.z(), 0);
  EXPECT_LT(result.w(3), 0);
}

TEST_P(EveryBaseline, UnusablePointsChangeNothing) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Scan scan = road_scan(5000, 0.3, 0.01);
  Scan holes;
  for (std::size_t k = 0; k < scan.size(); ++k) {
    holes.push_back(scan[k]);
    if (k % 7 == 0) holes.push_back({kNan, 1, 2, 0});
    if (k % 11 == 0) holes.push_back({1, kInfinity, 2, 0});
    if (k % 13 == 0) holes.push_back({0, 0, 0, 0});
    if (k % 17 == 0) holes.push_back({3e38F, 0, 0, 0});
  }
  const BaselineResult plain = run(scan);
  const BaselineResult with_holes = run(holes);
  ASSERT_EQ(with_holes.degeneracy, "");
  // Sums may be grouped differently around the holes; iterative methods stop early.
  EXPECT_LT(recovery_error(with_holes.w, plain.w), 1e-5);
}

TEST_P(EveryBaseline, SaysWhyThereIsNoPlane) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  expect_degenerate({}, "no usable point");
  expect_degenerate(Scan(10, {kNan, kNan, kNan, 0}), "no usable point");
  expect_degenerate(Scan(2, {1, 2, 3, 0}), "fewer than 3 usable points");
  expect_degenerate(Scan(100, {1, 2, 3, 0}), "all points are identical");
  expect_degenerate(collinear_scan(500), "all points are collinear");
}

TEST_P(EveryBaseline, ThreePointsAreEnough) {
  const BaselineResult result = run(Scan{{5, 0, -1, 0}, {0, 5, -1, 0}, {-5, -5, -1, 0}});
  ASSERT_EQ(result.degeneracy, "");
  EXPECT_LT(recovery_error(result.w, {0, 0, 1, 1}), 1e-6);
}

TEST_P(EveryBaseline, HugeCoordinatesEndWithAPlaneOrAReason) {
  Scan scan = test::random_scan(1000, 3);
  for (Point& p : scan) p = {p.x * 1e16F, p.y * 1e16F, p.z * 1e16F, 0};
  const BaselineResult result = run(scan);
  EXPECT_TRUE(result.w.allFinite());
  EXPECT_NEAR(result.w.norm(), result.found() ? 1 : 0, 1e-9);
}

TEST_P(EveryBaseline, SameInputSameResult) {
  const Scan scan = road_scan(5000, 0.3, 0.01);
  EXPECT_EQ(run(scan).w, run(scan).w);
}

INSTANTIATE_TEST_SUITE_P(Names, EveryBaseline, testing::ValuesIn(baseline_names()),
                         [](const auto& name) { return std::string(name.param); });

TEST(RobustBaselines, WithstandThirtyPercentOutliers) {
  const Scan scan = road_scan(20'000, 0.3, 0.01);
  const double least_squares = recovery_error(run_baseline("svd", scan).w, road_hyperplane());
  EXPECT_GT(least_squares, 0.03);
  for (const std::string_view name : {"psgm", "irls", "ransac"}) {
    const BaselineResult result = run_baseline(name, scan);
    ASSERT_EQ(result.degeneracy, "") << name;
    EXPECT_LT(recovery_error(result.w, road_hyperplane()), least_squares / 10) << name;
  }
}

}  // namespace
}  // namespace roadplane
