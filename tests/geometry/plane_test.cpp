#include "roadplane/geometry/plane.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "roadplane/geometry/upwards.hpp"

namespace roadplane {
namespace {

TEST(Plane, RoundTripsThroughTheHyperplane) {
  const Plane plane{Eigen::Vector3d(0.1, -0.2, 0.97).normalized(), 1.73};
  const auto again = Plane::from_hyperplane(plane.hyperplane());
  ASSERT_TRUE(again);
  EXPECT_NEAR((again->normal - plane.normal).norm(), 0, 1e-15);
  EXPECT_NEAR(again->offset_m, 1.73, 1e-14);
  EXPECT_NEAR(plane.hyperplane().norm(), 1, 1e-15);
}

TEST(Plane, ScaleAndSignOfTheHyperplaneDoNotMatter) {
  const Eigen::Vector4d w(0.01, 0.02, 0.5, 0.85);
  for (const double scale : {1.0, -1.0, 1e200, -1e-200}) {
    const auto plane = Plane::from_hyperplane(scale * w);
    ASSERT_TRUE(plane) << scale;
    EXPECT_GT(plane->normal.z(), 0) << scale;
    EXPECT_NEAR(plane->offset_m, 0.85 / w.head<3>().norm(), 1e-12) << scale;
  }
}

TEST(Plane, UpIsTheCallersChoice) {
  const auto plane = Plane::from_hyperplane({0, 0.9, 0.1, 1}, -Eigen::Vector3d::UnitY());
  ASSERT_TRUE(plane);
  EXPECT_LT(plane->normal.y(), 0);
  EXPECT_LT(plane->offset_m, 0);
}

TEST(Plane, NoPlaneAtInfinityOrFromGarbage) {
  EXPECT_FALSE(Plane::from_hyperplane({0, 0, 0, 1}));
  EXPECT_FALSE(Plane::from_hyperplane({0, 0, 0, 0}));
  EXPECT_FALSE(Plane::from_hyperplane({0, 0, NAN, 1}));
  EXPECT_FALSE(Plane::from_hyperplane({0, 0, std::numeric_limits<double>::infinity(), 1}));
}

TEST(Plane, DistancesInMetresAndAsAngle) {
  const Plane road{Eigen::Vector3d::UnitZ(), 1.7};
  const Point above{10, 0, -1.5F, 0};
  const Point below{10, 0, -2.0F, 0};
  EXPECT_NEAR(road.signed_distance_m(above), 0.2, 1e-6);
  EXPECT_NEAR(road.signed_distance_m(below), -0.3, 1e-6);
  // |w'b| = distance / (norm of [n; d] * norm of [p; 1]).
  const double expected = 0.2 / (std::hypot(1.0, 1.7) * std::sqrt(100 + 2.25 + 1));
  EXPECT_NEAR(road.angular_residual(above), expected, 1e-8);
  EXPECT_NEAR(angular_residual(-road.hyperplane(), above), expected, 1e-8);
}

TEST(Upwards, IsTheSignOfZ) {
  const Eigen::Vector4d w(0.3, -0.4, -0.5, 0.7);
  EXPECT_EQ(upwards(w), -w);
  EXPECT_EQ(upwards(-w), -w);
}

TEST(Upwards, NearlyEqualHyperplanesFaceTheSameWay) {
  for (const int along : {0, 1, 2, 3}) {  // the entries next to it are on either side of 0
    const Eigen::Vector4d w = Eigen::Vector4d::Unit(along);
    const Eigen::Vector4d little = Eigen::Vector4d::Constant(1e-5);
    EXPECT_LT((upwards(w + little) - upwards(w - little)).norm(), 1e-4) << along;
    EXPECT_LT((upwards(w + little) - upwards(-w - little)).norm(), 1e-4) << along;
  }
}

}  // namespace
}  // namespace roadplane
