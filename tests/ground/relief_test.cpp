#include "roadplane/ground/relief.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "ground/traced_scan.hpp"

namespace roadplane {
namespace {

struct Found {
  Ground ground;
  Shards shards;
};

Found find(const Scan& scan, const Plane& plane = kStreet, ShardKind kind = ShardKind::azimuth) {
  const Network network(Graph::ring(kAgents));
  LocalChannel channel(network);
  Found found;
  found.shards = make_shards(scan, kind, kAgents, 1);
  const std::vector<Eigen::Vector4d> planes(kAgents, plane.hyperplane());
  found.ground = find_ground(channel, scan, found.shards, planes);
  return found;
}

double share_of_ground(const Scan& scan, const Found& found,
                       const std::function<bool(const Point&)>& chosen) {
  double taken = 0, all = 0;
  for (std::size_t k = 0; k < scan.size(); ++k) {
    if (!chosen(scan[k])) continue;
    ++all;
    taken += found.ground.labels.road[k];
  }
  EXPECT_GT(all, 50);
  return taken / all;
}

float farthest_m(const Ground& ground) {
  float farthest = 0;
  for (const Relief& relief : ground.reliefs) {
    for (const Relief::Cell& cell : relief.cells) {
      farthest = std::max(farthest, std::abs(cell.height_m));
    }
  }
  return farthest;
}

bool any(const Point&) { return true; }

TEST(ReliefGrid, RingsFollowEachOtherFromTheSensorToTheReach) {
  EXPECT_EQ(ReliefGrid::begin_m(0), 0);
  for (int ring = 0; ring < ReliefGrid::kRings; ++ring) {
    EXPECT_GT(ReliefGrid::width_m(ring), 0);
    EXPECT_LE(ReliefGrid::width_m(ring),
              (ReliefGrid::begin_m(ring) + ReliefGrid::kInnerM) / ReliefGrid::kRingsPerOctave);
  }
  EXPECT_FLOAT_EQ(ReliefGrid::begin_m(ReliefGrid::kRings), ReliefGrid::kReachM);
}

TEST(Relief, OfAPlaneIsZeroAndAllOfItIsGround) {
  const Scan scan = scan_of([](double, double) { return 0.0; }, 0);
  for (const ShardKind kind :
       {ShardKind::azimuth, ShardKind::contiguous, ShardKind::interleaved, ShardKind::random}) {
    const Found found = find(scan, kStreet, kind);
    EXPECT_LT(farthest_m(found.ground), 1e-5);
    EXPECT_EQ(found.ground.labels.count(), scan.size());
  }
}

TEST(Relief, APlaneAddedToThePointsIsAddedToTheGround) {
  const auto surface = [](double x, double y) {
    return 0.05 * std::max(0.0, std::abs(y) - 6) + 0.3 * std::sin(x / 15) +
           (x > 20 && y > 8 ? 3 : 0);
  };
  Scan scan = scan_of(surface);
  const Found before = find(scan);
  for (Point& p : scan) p.z += 0.04F * p.x - 0.03F * p.y + 0.2F;
  const Plane tilted{Eigen::Vector3d(-0.04, 0.03, 1).normalized(),
                     (kSensorM - 0.2) / Eigen::Vector3d(-0.04, 0.03, 1).norm()};
  const Found after = find(scan, tilted);
  std::size_t differ = 0;
  for (std::size_t k = 0; k < scan.size(); ++k) {
    if (before.ground.labels.road[k] != after.ground.labels.road[k]) ++differ;
  }
  EXPECT_LT(differ, scan.size() / 500);  // heights are across the plane: shorter by a thousandth
  float differ_m = 0;
  for (int i = 0; i < kAgents; ++i) {
    for (int c = 0; c < ReliefGrid::kCells; ++c) {
      const Relief::Cell one = before.ground.reliefs[i].at(c);
      const Relief::Cell other = after.ground.reliefs[i].at(c);
      if (one.limit_m > 0) differ_m = std::max(differ_m, std::abs(one.height_m - other.height_m));
    }
  }
  EXPECT_LT(differ_m, 0.02F);
}

TEST(Relief, PermutedPointsHaveTheirLabelsPermuted) {
  const Scan scan = scan_of([](double x, double y) {
    return 0.4 * std::sin(x / 12) * std::cos(y / 9) + (x > 15 && x < 18 ? 1.5 : 0);
  });
  const Found before = find(scan);
  const auto order = shuffled_positions(scan.size(), 3);
  Scan permuted;
  for (const std::uint32_t k : order) permuted.push_back(scan[k]);
  const Found after = find(permuted);
  std::size_t differ = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (after.ground.labels.road[k] != before.ground.labels.road[order[k]]) ++differ;
  }
  EXPECT_LT(differ, scan.size() / 2000);  // sums are rounded otherwise: the limit's very edge
}

TEST(Relief, HillsDipsKerbsAndBankedRoadsAreGround) {
  const std::vector<std::pair<const char*, Shape>> surfaces{
      {"rise", [](double x, double) { return 0.1 * std::max(0.0, x - 12); }},
      {"fall", [](double x, double) { return -0.08 * std::max(0.0, x - 12); }},
      {"banked",
       [](double x, double y) { return 0.05 * y * std::min(1.0, std::hypot(x, y) / 20); }},
      {"kerb", [](double, double y) { return std::abs(y) > 5 ? 0.15 : 0.0; }},
      {"ditch", [](double, double y) { return -0.4 * std::exp(-std::pow((y - 8) / 1.5, 2)); }},
      {"speed bump", [](double x, double) { return std::abs(x - 10) < 0.4 ? 0.1 : 0.0; }}};
  for (const auto& [name, surface] : surfaces) {
    const Scan scan = scan_of(surface);
    EXPECT_GT(share_of_ground(scan, find(scan), any), 0.97) << name;
  }
}

/// Beside a kerb the smooth surface is neither road nor sidewalk; a cell's height is that of its
/// points.
TEST(Relief, TheHeightOfACellIsThatOfItsOwnPoints) {
  const Scan scan = scan_of([](double x, double) { return x > 9 ? 0.12 : 0.0; });
  const Found found = find(scan);
  double off_m = 0;
  int cells = 0;
  for (int agent = 0; agent < kAgents; ++agent) {
    std::vector<std::vector<double>> heights(ReliefGrid::kCells);
    for (const std::uint32_t k : found.shards[agent]) {
      const Point& p = scan[k];
      const double r = std::hypot(p.x, p.y);
      int ring = 0;
      while (ring + 1 < ReliefGrid::kRings && ReliefGrid::begin_m(ring + 1) <= r) ++ring;
      const double turn = std::atan2(p.y, p.x) / (2 * std::numbers::pi);
      const int column = static_cast<int>((turn < 0 ? turn + 1 : turn) * ReliefGrid::kColumns);
      heights[column * ReliefGrid::kRings + ring].push_back(p.z + kSensorM);
    }
    for (int cell = 0; cell < ReliefGrid::kCells; ++cell) {
      const auto& own = heights[cell];
      if (own.size() < 20) continue;
      const auto [low, high] = std::minmax_element(own.begin(), own.end());
      if (*high - *low > 0.08) continue;  // it has the kerb's face in it
      const double mean = std::accumulate(own.begin(), own.end(), 0.0) / own.size();
      off_m += std::abs(found.ground.reliefs[agent].at(cell).height_m - mean);
      ++cells;
    }
  }
  ASSERT_GT(cells, 100);
  EXPECT_LT(off_m / cells, 0.003);
}

TEST(Relief, WallsAndCarsAreNotGroundAndTheGroundBesideThemIs) {
  const auto wall = [](const Point& p) { return std::abs(p.y) > 8; };
  const auto car = [](const Point& p) { return p.x > 7.9 && p.x < 12 && std::abs(p.y) < 0.9; };
  const Scan scan = scan_of([&](double x, double y) {
    const Point p{static_cast<float>(x), static_cast<float>(y), 0, 0};
    return wall(p) ? 4.0 : (x > 8 && x < 12 && std::abs(y) < 1 ? 1.4 : 0.0);
  });
  const Found found = find(scan);
  EXPECT_LT(share_of_ground(scan, found, car), 0.1);
  EXPECT_LT(share_of_ground(scan, found, wall), 0.06);  // the foot of a wall is on the ground
  EXPECT_GT(share_of_ground(scan, found,
                            [&](const Point& p) {
                              return std::abs(p.y) < 7.5 && !(p.x > 7.5 && std::abs(p.y) < 2.5);
                            }),
            0.99);
  EXPECT_LT(farthest_m(found.ground), 0.7F);
}

TEST(Relief, AnAgentThatSeesNoGroundStaysAtThePlane) {
  // Contiguous shards of a street between walls: upper rings see nothing but walls.
  const Scan scan = scan_of([](double, double y) { return std::abs(y) > 8 ? 6.0 : 0.0; });
  const Found found = find(scan, kStreet, ShardKind::contiguous);
  EXPECT_LT(farthest_m(found.ground), 0.6F);
  Scan walls;
  std::copy_if(scan.begin(), scan.end(), std::back_inserter(walls),
               [](const Point& p) { return p.z > -kSensorM + 1; });
  EXPECT_LT(farthest_m(find(walls).ground), 0.1F);
  EXPECT_EQ(find(walls).ground.labels.count(), 0U);
}

TEST(Relief, MissingReturnsReflectionsAndTheVehicleItselfChangeNothing) {
  Scan scan = scan_of([](double x, double) { return 0.05 * std::max(0.0, x - 10); });
  const Found clean = find(scan);
  const std::size_t count = scan.size();
  CounterRandom random(9, RandomUse::user);
  for (int k = 0; k < 2000; ++k) {
    const auto a = static_cast<float>(2 * std::numbers::pi * random.uniform());
    const auto r = static_cast<float>(5 + 20 * random.uniform());
    switch (k % 5) {
      case 0:
        scan.push_back({0, 0, 0, 0});
        break;
      case 1:
        scan.push_back({NAN, 1, 1, 0});
        break;
      case 2:
        scan.push_back({INFINITY, 1, 1, 0});
        break;
      case 3:  // a puddle's mirror image
        scan.push_back({r * std::cos(a), r * std::sin(a), -kSensorM - 2, 0});
        break;
      default:  // the roof
        scan.push_back({std::cos(a), std::sin(a), -0.5F, 0});
    }
  }
  const Found noisy = find(scan);
  for (std::size_t k = count; k < scan.size(); ++k) EXPECT_EQ(noisy.ground.labels.road[k], 0);
  std::size_t differ = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (clean.ground.labels.road[k] != noisy.ground.labels.road[k]) ++differ;
  }
  EXPECT_LT(differ, count / 100);  // sectors of agents move
}

TEST(Relief, StartsFromTheNearestGroundWhereThePlaneIsNotThere) {
  const auto car = [](const Point& p) { return std::abs(p.x) < 3 && p.y > 4.9 && p.y < 7.1; };
  const Scan scan =
      scan_of([](double x, double y) { return std::abs(x) < 2 && y > 5 && y < 7 ? 1.4 : 0.0; });
  const Eigen::Vector3d normal = Eigen::Vector3d(-0.06, 0.02, 1).normalized();
  const Plane wrong{normal, (kSensorM + 0.25) * normal.z()};
  for (const ShardKind kind :
       {ShardKind::azimuth, ShardKind::contiguous, ShardKind::interleaved, ShardKind::random}) {
    const Found found = find(scan, wrong, kind);
    EXPECT_GT(share_of_ground(scan, found, [&](const Point& p) { return !car(p); }), 0.99);
    EXPECT_LT(share_of_ground(scan, found, [&](const Point& p) { return car(p) && p.z > -1.5; }),
              0.02);
    for (int cell = 0; cell < ReliefGrid::kCells; ++cell) {  // heights are over the plane given
      const int ring = cell % ReliefGrid::kRings, column = cell / ReliefGrid::kRings;
      const Relief::Cell found_there = found.ground.reliefs[0].at(cell);
      if (found_there.points < 10) continue;
      const double azimuth = (column + 0.5) * 2 * std::numbers::pi / ReliefGrid::kColumns;
      const double r = ReliefGrid::centre_m(ring);
      EXPECT_NEAR(found_there.height_m,
                  0.25 + r * (0.02 * std::sin(azimuth) - 0.06 * std::cos(azimuth)),
                  0.05 + 0.02 * r);
    }
  }
}

TEST(Relief, WhatIsNearestAndWhatStandsAreToldToAllAgentsAndCounted) {
  const Scan scan = scan_of([](double x, double) { return x > 12 ? 2.0 : 0.0; });
  const Network network(Graph::ring(kAgents));
  LocalChannel channel(network);
  const Shards shards = make_shards(scan, ShardKind::contiguous, kAgents, 1);
  const std::vector<Eigen::Vector4d> planes(kAgents, kStreet.hyperplane());
  find_ground(channel, scan, shards, planes);
  const int rounds = 2 * network.diameter;  // the nearest ground, then what stands
  EXPECT_EQ(channel.traffic().rounds, rounds);
  const int bytes_nearest = 2 * ReliefGrid::kColumns, bytes_standing = 8 * ReliefGrid::kRings;
  EXPECT_EQ(channel.traffic().bytes_per_link, rounds / 2 * (bytes_nearest + bytes_standing));
}

TEST(Relief, ALimitThatIsAskedForHoldsAboveAndBelow) {
  const Scan scan = scan_of([](double, double) { return 0.0; }, 0.1);
  const Network network(Graph::complete(1));
  LocalChannel channel(network);
  const Shards shards = make_shards(scan, ShardKind::azimuth, 1);
  const std::vector<Eigen::Vector4d> planes{kStreet.hyperplane()};
  const Threshold limit{0.07, ResidualUnit::metres};
  const PointLabels labels = find_ground(channel, scan, shards, planes, limit).labels;
  for (std::size_t k = 0; k < scan.size(); ++k) {
    EXPECT_EQ(labels.road[k] != 0, std::abs(labels.residuals[k]) <= 0.07F);
  }
}

TEST(Relief, LabelsAreTheSameWhereNobodyWantsTheResiduals) {
  const Scan scan = scan_of([](double x, double) { return 0.02 * x; }, 0.1);
  const Found kept = find(scan);
  const Network network(Graph::ring(kAgents));
  LocalChannel channel(network);
  const std::vector<Eigen::Vector4d> planes(kAgents, kStreet.hyperplane());
  const PointLabels labels =
      GroundFinder()(channel, scan, kept.shards, planes, std::nullopt, Residuals::left_out).labels;
  EXPECT_TRUE(labels.residuals.empty());
  EXPECT_EQ(labels.road, kept.ground.labels.road);
}

}  // namespace
}  // namespace roadplane
