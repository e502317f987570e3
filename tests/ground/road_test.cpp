#include "roadplane/ground/road.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "ground/traced_scan.hpp"
#include "roadplane/ground/target.hpp"

namespace roadplane {
namespace {

constexpr double kHalfRoadM = 5;

struct RoadFound {
  Ground ground;
  double f1 = 0;       ///< of the road, 5 m to either side
  double slab_f1 = 0;  ///< of what is near the plane
};

bool in_the_middle(const Point& p) { return std::abs(p.y) < kHalfRoadM; }

double f1_of(const Scan& scan, const PointLabels& labels,
             const std::function<bool(const Point&)>& is_road) {
  double hits = 0, sum = 0;
  for (std::size_t k = 0; k < scan.size(); ++k) {
    const bool truth = is_road(scan[k]), taken = labels.road[k] != 0;
    hits += truth && taken ? 2 : 0;
    sum += (truth ? 1 : 0) + (taken ? 1 : 0);
  }
  return hits / sum;
}

RoadFound find_road(const Scan& scan, ShardKind kind = ShardKind::azimuth,
                    const std::function<bool(const Point&)>& is_road = in_the_middle) {
  const Network network(Graph::complete(kAgents));
  const Shards shards = make_shards(scan, kind, kAgents, 1);
  const std::vector<Eigen::Vector4d> planes(kAgents, kStreet.hyperplane());
  LocalChannel channel(network);
  RoadFound found;
  found.ground = RoadFinder()(channel, scan, shards, planes);
  found.f1 = f1_of(scan, found.ground.labels, is_road);
  found.slab_f1 =
      f1_of(scan, label_points(scan, shards, planes, default_threshold(Target::road)), is_road);
  return found;
}

/// Between sidewalks, 3 m wide, and houses.
double kerbs(double, double y, double kerb_m) {
  if (std::abs(y) > kHalfRoadM + 3) return 5;
  return std::abs(y) > kHalfRoadM ? kerb_m : 0;
}

Scan street_with(double kerb_m) {
  return scan_of([=](double x, double y) { return kerbs(x, y, kerb_m); }, 0.005);
}

void reflect(Scan& scan, const std::function<float(const Point&)>& reflectance) {
  for (Point& p : scan) p.reflectance = reflectance(p);
}

TEST(Road, EndsAtKerbsWithoutAnyReflectance) {
  for (const double kerb_m : {0.08, 0.12, 0.15}) {
    const RoadFound found = find_road(street_with(kerb_m));
    EXPECT_GT(found.f1, kerb_m < 0.1 ? 0.88 : 0.95) << kerb_m;
    EXPECT_GT(found.f1, found.slab_f1) << kerb_m;
  }
}

/// A verge beyond a low sidewalk, so that other ground is seen to reflect otherwise.
TEST(Road, EndsAtALowKerbWhereTheGroundReflectsOtherwise) {
  Scan scan = scan_of(
      [](double, double y) {
        const double beside_m = std::abs(y) - kHalfRoadM;
        return beside_m > 6 ? 5 : beside_m > 3 ? 0.2 : beside_m > 0 ? 0.03 : 0;
      },
      0.005);
  reflect(scan, [](const Point& p) {  // other noise on the same
    const float noise = 0.03F * std::sin(1000 * p.x + 777 * p.y);
    return (in_the_middle(p) ? 0.2F : 0.4F) + noise - 0.001F * std::hypot(p.x, p.y);
  });
  const double with = find_road(scan).f1;
  reflect(scan, [](const Point&) { return 0.2F; });
  EXPECT_GT(with, 0.9);
  EXPECT_GT(with, find_road(scan).f1 + 0.05);
}

TEST(Road, IsFoundWhicheverWayTheVehicleLooks) {
  const double along = find_road(street_with(0.12)).f1;
  const Scan turned = scan_of(
      [](double x, double y) { return kerbs(y, (x + y) / std::numbers::sqrt2, 0.12); }, 0.005);
  const auto is_road = [](const Point& p) {
    return std::abs(p.x + p.y) / std::numbers::sqrt2 < kHalfRoadM;
  };
  EXPECT_NEAR(find_road(turned, ShardKind::azimuth, is_road).f1, along, 0.03);
}

TEST(Road, IsNoWorseThanTheSlabWithAnyShards) {
  const Scan scan = street_with(0.12);
  for (const ShardKind kind : {ShardKind::contiguous, ShardKind::interleaved, ShardKind::random}) {
    const RoadFound found = find_road(scan, kind);
    EXPECT_GT(found.f1, found.slab_f1) << to_string(kind);
  }
}

TEST(Road, CostsAtMost16KilobytesAnAgentMoreThanThePlane) {
  const Scan scan = street_with(0.12);
  const Network network(Graph::erdos_renyi(kAgents, 0.5, 1));
  LocalChannel channel(network);
  const Shards shards = make_shards(scan, ShardKind::azimuth, kAgents);
  const std::vector<Eigen::Vector4d> planes(kAgents, kStreet.hyperplane());
  RoadFinder()(channel, scan, shards, planes);
  EXPECT_GT(channel.traffic().bytes_per_agent(network.graph), 0);
  EXPECT_LT(channel.traffic().bytes_per_agent(network.graph), 16'000);
}

TEST(Road, TellsItsAreaAndWhetherTheSensorIsOnIt) {
  const RoadFound found = find_road(street_with(0.12));
  ASSERT_TRUE(found.ground.road);
  EXPECT_GT(found.ground.road->area_m2, 900);  // 1000 within 50 m, and 600 of sidewalks
  EXPECT_LT(found.ground.road->area_m2, 1500);
  EXPECT_GT(found.ground.road->near_share, 0.6);
}

TEST(Road, OfTooFewPointsIsNoTrouble) {
  const Scan scan(20, Point{5, 1, -1.7F, 0});
  const RoadFound found = find_road(scan);
  EXPECT_EQ(found.ground.labels.road.size(), scan.size());
}

}  // namespace
}  // namespace roadplane
