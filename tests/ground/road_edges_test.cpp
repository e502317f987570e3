#include "roadplane/ground/road_edges.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "ground/traced_scan.hpp"

namespace roadplane {
namespace {

constexpr double kHalfM = 4;

/// A road along x between lawns, with houses 12 m from its middle.
double lawns(double, double y) { return std::abs(y) > 12 ? 5 : 0; }

/// A box as high as a car, 12 m to 16 m ahead on the left half of the road.
double with_car(double x, double y) {
  const bool car = x > 12 && x < 16 && y > 0.5 && y < 2.5;
  return car ? 1.4 : lawns(x, y);
}

std::vector<std::uint8_t> road_of(const Scan& scan) {
  std::vector<std::uint8_t> road;
  for (const Point& p : scan) {
    road.push_back(std::abs(p.y) < kHalfM && p.z < 0.2 - kSensorM ? 1 : 0);
  }
  return road;
}

Scan turned(Scan scan, const Eigen::Isometry3d& motion) {
  for (Point& p : scan) {
    const Eigen::Vector3f q = (motion * Eigen::Vector3d(p.x, p.y, p.z)).cast<float>();
    p = {q.x(), q.y(), q.z(), p.reflectance};
  }
  return scan;
}

SeenRoad view_of(const Shape& surface) {
  const Scan scan = scan_of(surface, 0);
  return {scan, road_of(scan), kStreet.hyperplane()};
}

Sight sight_at(const RoadMap& map, double x, double y) { return map.at({x, y}); }

TEST(RoadEdges, AreWhereTheLabelsEnd) {
  const SeenRoad view = view_of(lawns);
  ASSERT_GT(view.edges.left.size(), 60U);
  int seen = 0;
  for (const auto* border : {&view.edges.left, &view.edges.right}) {
    const double side = border == &view.edges.left ? 1 : -1;
    for (const BorderPoint& point : *border) {
      if (std::abs(point.at.x()) > 25) continue;
      const bool near = std::abs(point.at.x()) < 12;
      seen += point.beyond == Sight::other ? 1 : 0;
      EXPECT_NEAR(point.at.y(), side * kHalfM, near ? 0.3 : 0.5) << point.at.transpose();
      EXPECT_NEAR(point.at.z(), -kSensorM, 0.05);
    }
  }
  EXPECT_GT(seen, 90);
  EXPECT_NEAR(view.edges.ahead.x(), 1, 1e-3);
}

TEST(RoadEdges, TellHowWideTheRoadIsAheadAndBehind) {
  const SeenRoad view = view_of(lawns);
  ASSERT_EQ(view.edges.widths.size(), std::size(RoadEdges::kWidthsAtM));
  for (const RoadWidth& width : view.edges.widths) {
    EXPECT_NEAR(width.width_m, 2 * kHalfM, 3 * width.spread_m) << width.at_m;
    EXPECT_LT(width.spread_m, 0.1 + 0.025 * std::abs(width.at_m)) << width.at_m;
  }
}

TEST(RoadEdges, FollowARoadThatLiesAnyWayAndASensorThatIsTilted) {
  const Scan scan = scan_of(lawns, 0);
  for (const double turn_deg : {35.0, 90.0, 160.0}) {
    Eigen::Isometry3d motion = Eigen::Isometry3d::Identity();
    motion.rotate(Eigen::AngleAxisd(0.2, Eigen::Vector3d(1, 1, 0).normalized()));
    motion.rotate(Eigen::AngleAxisd(turn_deg * std::numbers::pi / 180, Eigen::Vector3d::UnitZ()));
    const Plane plane{motion.linear() * kStreet.normal, kSensorM};
    const SeenRoad view(turned(scan, motion), road_of(scan), plane.hyperplane());
    const Eigen::Vector3d along = motion.linear() * Eigen::Vector3d::UnitX();
    EXPECT_GT(std::abs(view.edges.ahead.dot(along)), 0.999) << turn_deg;
    ASSERT_FALSE(view.edges.widths.empty()) << turn_deg;
    for (const RoadWidth& width : view.edges.widths) {
      EXPECT_NEAR(width.width_m, 2 * kHalfM, 0.4) << turn_deg;
    }
  }
}

TEST(RoadEdges, OfASensorBesideTheRoadAreFoundToo) {
  const Scan scan = scan_of([](double x, double y) { return lawns(x, y + 6); }, 0);
  std::vector<std::uint8_t> road;
  for (const Point& p : scan) road.push_back(std::abs(p.y + 8) < 3 && p.z < -1 ? 1 : 0);
  const SeenRoad view(scan, road, kStreet.hyperplane());
  ASSERT_FALSE(view.edges.widths.empty());
  EXPECT_NEAR(view.edges.widths.front().width_m, 6, 0.5);
}

TEST(RoadEdges, OfNoRoadAreNone) {
  const Scan scan = scan_of(lawns, 0);
  const SeenRoad view(scan, std::vector<std::uint8_t>(scan.size()), kStreet.hyperplane());
  EXPECT_TRUE(view.edges.left.empty());
  EXPECT_TRUE(view.edges.area().empty());
  EXPECT_EQ(sight_at(view.map, 8, 0), Sight::other);
  EXPECT_TRUE(SeenRoad(Scan{}, {}, kStreet.hyperplane()).edges.widths.empty());
}

TEST(RoadEdges, TheAreaIsThatOfTheRoadInView) {
  const RoadEdges edges = view_of(lawns).edges;
  const double along_m = (edges.left.back().at - edges.left.front().at).norm();
  EXPECT_NEAR(area_m2(edges.area()), 2 * kHalfM * along_m, 0.1 * 2 * kHalfM * along_m);
}

TEST(RoadMap, SaysWhatIsHiddenAndWhatStands) {
  const RoadMap map = view_of(with_car).map;
  EXPECT_EQ(sight_at(map, 8, -1), Sight::road);
  EXPECT_EQ(sight_at(map, 8, 1.5), Sight::road);
  EXPECT_EQ(sight_at(map, 12.1, 1.5), Sight::standing);
  EXPECT_EQ(sight_at(map, 25, 3), Sight::hidden) << "behind the car";
  EXPECT_EQ(sight_at(map, 25, -2), Sight::road) << "beside it";
  EXPECT_EQ(sight_at(map, 10, 8), Sight::other);
  EXPECT_EQ(sight_at(map, 0, 30), Sight::hidden) << "behind the houses";
  EXPECT_EQ(sight_at(map, 1, 0), Sight::unseen) << "below the vehicle";
  EXPECT_EQ(map.at_or_below_vehicle({1, 0}), Sight::road);
  EXPECT_EQ(sight_at(map, 200, 0), Sight::unseen);
}

TEST(RoadMap, StretchesOfASectorFollowEachOther) {
  const RoadMap map = view_of(with_car).map;
  const auto stretches = map.stretches(0.1);
  ASSERT_GT(stretches.size(), 3U);
  EXPECT_EQ(stretches.front().from_m, 0);
  for (std::size_t k = 0; k + 1 < stretches.size(); ++k) {
    EXPECT_EQ(stretches[k].to_m, stretches[k + 1].from_m);
    EXPECT_NE(stretches[k].sight, stretches[k + 1].sight);
  }
}

}  // namespace
}  // namespace roadplane
