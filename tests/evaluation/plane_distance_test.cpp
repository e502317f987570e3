#include "roadplane/evaluation/plane_distance.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace roadplane {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

TEST(PlaneDistance, IsDegreesBetweenNormalsAndMetresAtThePlace) {
  const Eigen::Vector4d truth(0, 0, 1, 1.7);
  const Eigen::Vector4d tilted(-std::sin(2 * kDegree), 0, std::cos(2 * kDegree), 1.7);
  const auto below_the_sensor = plane_distance(tilted, truth, {0, 0, 0});
  ASSERT_TRUE(below_the_sensor);
  EXPECT_NEAR(below_the_sensor->angle_deg, 2, 1e-9);
  EXPECT_NEAR(below_the_sensor->height_m, 1.7 * (1 - std::cos(2 * kDegree)), 1e-12);
  const auto ahead = plane_distance(tilted, truth, {10, 0, -1.7});
  EXPECT_NEAR(ahead->height_m, 10 * std::sin(2 * kDegree) - 1.7 * (1 - std::cos(2 * kDegree)),
              1e-12);
}

TEST(PlaneDistance, DoesNotDependOnSignLengthOrOrigin) {
  const Eigen::Vector4d truth(0, 0, 1, 1.7);
  const Eigen::Vector4d found(0.01, 0, 1, 1.75);
  const Eigen::Vector3d place(8, 3, 0);
  const auto as_it_is = plane_distance(found, truth, place);
  const auto turned = plane_distance(-3 * found, 2 * truth, place);
  EXPECT_NEAR(turned->angle_deg, as_it_is->angle_deg, 1e-9);
  EXPECT_NEAR(turned->height_m, as_it_is->height_m, 1e-12);
  const Eigen::Vector4d raised(0, 0, 0, -2);
  const auto elsewhere =
      plane_distance(found + raised, truth + raised, place + Eigen::Vector3d(0, 0, 2));
  EXPECT_NEAR(elsewhere->angle_deg, as_it_is->angle_deg, 1e-9);
  EXPECT_NEAR(elsewhere->height_m, as_it_is->height_m, 1e-12);
}

TEST(PlaneDistance, ThereIsNoneFromThePlaneAtInfinity) {
  EXPECT_FALSE(plane_distance({0, 0, 0, 1}, {0, 0, 1, 1}, {0, 0, 0}));
  EXPECT_FALSE(plane_distance({0, 0, 1, NAN}, {0, 0, 1, 1}, {0, 0, 0}));
}

TEST(PlaneDistance, FarApartAreFiveDegreesOrFifteenCentimetres) {
  EXPECT_FALSE((PlaneDistance{4.9, 0.14}.far_apart()));
  EXPECT_TRUE((PlaneDistance{5.1, 0}.far_apart()));
  EXPECT_TRUE((PlaneDistance{0, 0.16}.far_apart()));
}

TEST(MiddleOfNearPoints, IsTheMeanOfTheNearerHalfOfTheMask) {
  const Scan scan{{1, 0, -1, 0}, {3, 0, -2, 0}, {30, 0, 0, 0}, {0, 40, 0, 0}, {2, 2, 2, 0}};
  const std::vector<std::uint8_t> mask{1, 1, 1, 1, 0};
  EXPECT_EQ(middle_of_near_points(scan, mask), Eigen::Vector3d(2, 0, -1.5));
}

TEST(MiddleOfNearPoints, LeavesOutWhatIsNoReturn) {
  const Scan scan{{0, 0, 0, 0}, {NAN, 0, 0, 0}, {4, 0, 1, 0}};
  EXPECT_EQ(middle_of_near_points(scan, {}), Eigen::Vector3d(4, 0, 1));
  EXPECT_EQ(middle_of_near_points(Scan{}, {}), Eigen::Vector3d::Zero());
}

}  // namespace
}  // namespace roadplane
