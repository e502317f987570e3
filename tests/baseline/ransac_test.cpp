#include "roadplane/baseline/ransac.hpp"

#include <gtest/gtest.h>

#include <set>

#include "baseline_data.hpp"
#include "roadplane/baseline/registry.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/geometry/plane.hpp"
#include "support/input_error.hpp"

namespace roadplane {
namespace {

using test::expect_one_line;
using test::road_scan;

TEST(Ransac, FiveSeedsGiveFiveRuns) {
  const Scan scan = road_scan(20'000, 0.5, 0.05);
  std::set<double> offsets;
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    offsets.insert(fit_ransac(scan, {.optimise = false, .seed = seed}).w(3));
  }
  EXPECT_EQ(offsets.size(), 5U);
}

TEST(Ransac, SameSeedSameRun) {
  const Scan scan = road_scan(20'000, 0.5, 0.05);
  const RansacResult first = fit_ransac(scan, {.seed = 7});
  fit_ransac(scan, {.seed = 8});  // leaves no trace
  const RansacResult again = fit_ransac(scan, {.seed = 7});
  EXPECT_EQ(first.w, again.w);
  EXPECT_EQ(first.inliers, again.inliers);
  EXPECT_EQ(first.iterations, again.iterations);
}

TEST(Ransac, CountsThePointsWithinTheThreshold) {
  const Scan scan = road_scan(20'000, 0.5, 0.05);
  const RansacResult result = fit_ransac(scan, {.threshold_m = 0.1});
  const auto plane = Plane::from_hyperplane(result.w);
  ASSERT_TRUE(plane);
  std::size_t near = 0;
  for (const Point& p : scan) near += std::abs(plane->signed_distance_m(p)) < 0.1 ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(result.inliers), static_cast<double>(near), 5);  // PCL's floats
}

TEST(Ransac, OptimisingHelps) {
  const Scan scan = road_scan(20'000, 0.3, 0.05);
  std::vector<double> plain;
  std::vector<double> optimised;
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    const RansacOptions options{.optimise = false, .seed = seed};
    plain.push_back(recovery_error(fit_ransac(scan, options).w, test::road_hyperplane()));
    optimised.push_back(
        recovery_error(fit_ransac(scan, {.seed = seed}).w, test::road_hyperplane()));
  }
  EXPECT_LT(test::median(optimised), test::median(plain));
}

TEST(Ransac, StopsAtTheIterationLimit) {
  const Scan scan = road_scan(5000, 0.9, 0.05);
  // PCL draws one sample more than it was told.
  EXPECT_LE(fit_ransac(scan, {.max_iterations = 10}).iterations, 11);
  EXPECT_GE(fit_ransac(scan, {.max_iterations = 10}).iterations, 10);
}

TEST(Ransac, PrintsNothing) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  fit_ransac(test::collinear_scan(500));
  fit_ransac(Scan(3, {1, 2, 3, 0}));
  fit_ransac(road_scan(3, 0));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Ransac, BadOptionsAreNamed) {
  const Scan scan = road_scan(100, 0);
  expect_one_line([&] { fit_ransac(scan, {.threshold_m = -1}); }, "ransac.threshold_m", "-1");
  expect_one_line([&] { fit_ransac(scan, {.max_iterations = 0}); }, "ransac.max_iterations", "0");
  expect_one_line([&] { fit_ransac(scan, {.probability = 1}); }, "ransac.probability", "1");
}

TEST(Registry, KnowsTheFourNames) {
  const auto names = baseline_names();
  EXPECT_EQ(std::vector(names.begin(), names.end()),
            (std::vector<std::string_view>{"svd", "psgm", "irls", "ransac"}));
  expect_one_line([] { run_baseline("msac", {}); }, "baseline", "\"msac\"");
}

TEST(Registry, HandsOnTheOptions) {
  const Scan scan = road_scan(5000, 0.3, 0.01);
  BaselineOptions options;
  options.psgm.max_iterations = options.irls.max_iterations = 1;
  options.ransac = {.optimise = false, .seed = 9};
  EXPECT_EQ(run_baseline("psgm", scan, options).iterations, 1);
  EXPECT_EQ(run_baseline("irls", scan, options).iterations, 1);
  EXPECT_EQ(run_baseline("ransac", scan, options).w, fit_ransac(scan, options.ransac).w);
}

}  // namespace
}  // namespace roadplane
