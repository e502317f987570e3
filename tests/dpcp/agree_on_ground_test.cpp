#include "roadplane/dpcp/agree_on_ground.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>

#include "roadplane/base/counter_random.hpp"

namespace roadplane {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

using Views = std::vector<std::optional<GroundView>>;

/// Vehicles in two lanes on a plane with slopes; `far` is where in the world.
struct Row {
  int vehicles = 8;
  Eigen::Vector3d far = Eigen::Vector3d::Zero();
  double height_noise_m = 0;
  double tilt_noise_deg = 0;
  std::uint64_t seed = 1;

  static constexpr double kAlong = 0.05;
  static constexpr double kAcross = -0.02;

  Eigen::Vector3d on_ground(double x, double y) const {
    return far + Eigen::Vector3d(x, y, kAlong * x + kAcross * y);
  }
  Eigen::Vector3d place(int k) const {
    return on_ground(12.0 * (k / 2) + 5 * (k % 2), k % 2 == 0 ? -1.75 : 1.75);
  }
  Views views() const {
    Views views;
    for (int k = 0; k < vehicles; ++k) {
      CounterRandom random(seed, RandomUse::user, static_cast<std::uint32_t>(k));
      GroundView view{place(k), {}};
      view.place.z() += height_noise_m * random.normal();
      view.normal = Eigen::Vector3d(-kAlong + tilt_noise_deg * kDegree * random.normal(),
                                    -kAcross + tilt_noise_deg * kDegree * random.normal(), 1)
                        .normalized();
      views.emplace_back(view);
    }
    return views;
  }
  /// [m] of a plane from the ground at a vehicle's place.
  double error_m(const Eigen::Vector4d& plane, int k) const {
    return above_plane_m({place(k), {}}, plane);
  }
};

GroundAgreement agree(const Views& views, const Graph& graph) {
  const Network network(graph);
  LocalChannel channel(network);
  return agree_on_ground(channel, views);
}

double worst_m(const Row& row, const GroundAgreement& found) {
  double worst = 0;
  for (int k = 0; k < row.vehicles; ++k)
    worst = std::max(worst, std::abs(row.error_m(found.planes[static_cast<std::size_t>(k)], k)));
  return worst;
}

TEST(AgreeOnGround, ExactViewsGiveTheirPlaneOnAnyNetworkAndAnywhere) {
  for (const Eigen::Vector3d& far : {Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(5e5, -4e6, 300)}) {
    const Row row{.vehicles = 8, .far = far};
    for (const Graph& graph : {Graph::complete(8), Graph::ring(8), Graph::path(8)}) {
      const GroundAgreement found = agree(row.views(), graph);
      EXPECT_LT(worst_m(row, found), 1e-3);
      EXPECT_DOUBLE_EQ(found.scale_m, 0.1);
      EXPECT_EQ(found.views, 8);
    }
  }
}

TEST(AgreeOnGround, OneThatIsFarOffDoesNotCount) {
  for (const int vehicles : {4, 5, 16}) {
    const Row row{.vehicles = vehicles};
    Views high = row.views();
    high[1]->place.z() += 2;
    const GroundAgreement found = agree(high, Graph::complete(vehicles));
    EXPECT_LT(worst_m(row, found), 5e-3) << vehicles;
    EXPECT_NEAR(found.apart_m[1], 2, 0.1);
    EXPECT_GT(found.apart_m[1], found.scale_m);

    Views tilted = row.views();
    tilted[2]->normal =
        Eigen::AngleAxisd(5 * kDegree, Eigen::Vector3d::UnitX()) * tilted[2]->normal;
    const GroundAgreement again = agree(tilted, Graph::complete(vehicles));
    EXPECT_LT(worst_m(row, again), 5e-3) << vehicles;
    EXPECT_GT(again.apart_m[2], again.scale_m);
  }
}

TEST(AgreeOnGround, PosesThatAreWrongAverageOut) {
  for (const int vehicles : {4, 16}) {
    double sum = 0;
    constexpr int kSeeds = 12;
    for (int seed = 0; seed < kSeeds; ++seed) {
      const Row row{.vehicles = vehicles,
                    .height_noise_m = 0.2,
                    .tilt_noise_deg = 0.2,
                    .seed = static_cast<std::uint64_t>(seed)};
      const GroundAgreement found = agree(row.views(), Graph::complete(vehicles));
      EXPECT_GT(found.spread_m, 0.02);
      for (int k = 0; k < vehicles; ++k) {
        const double error = row.error_m(found.planes[static_cast<std::size_t>(k)], k);
        sum += error * error / (kSeeds * vehicles);
      }
    }
    // A plane through heights at N places is sqrt(3 / N) of their deviation off there; tilts help.
    EXPECT_LT(std::sqrt(sum), 1.55 * 0.2 / std::sqrt(vehicles)) << vehicles;
  }
}

TEST(AgreeOnGround, WhatIsRememberedTakesOneSolveAndGivesTheSamePlane) {
  Row row{.vehicles = 8, .far = {5e5, -4e6, 300}, .height_noise_m = 0.1, .tilt_noise_deg = 0.1};
  const Network network(Graph::ring(8));
  LocalChannel channel(network);
  const GroundAgreement first = agree_on_ground(channel, row.views());
  EXPECT_FALSE(first.tracked);
  EXPECT_GT(first.solves, 1);
  std::vector<std::optional<GroundMemory>> last(8, first.memory);
  last[3].reset();  // it has just come
  const GroundAgreement again = agree_on_ground(channel, row.views(), {}, last);
  EXPECT_TRUE(again.tracked);
  EXPECT_EQ(again.solves, 1);
  EXPECT_LT(again.traffic.bytes_per_link, first.traffic.bytes_per_link / 2);
  for (int k = 0; k < 8; ++k) {
    const auto i = static_cast<std::size_t>(k);
    EXPECT_NEAR(row.error_m(again.planes[i], k), row.error_m(first.planes[i], k), 2e-3);
  }
  // The world has moved, or nobody remembers: all begin afresh.
  row.far.z() += 5;
  const GroundAgreement lost = agree_on_ground(channel, row.views(), {}, last);
  EXPECT_FALSE(lost.tracked);
  EXPECT_LT(worst_m(row, lost), 0.2);
  last.assign(8, std::nullopt);
  EXPECT_FALSE(agree_on_ground(channel, row.views(), {}, last).tracked);
}

TEST(AgreeOnGround, ARememberedScaleThatIsFarTooCoarseIsLookedForAnew) {
  const Row row{.vehicles = 8};
  const Network network(Graph::ring(8));
  LocalChannel channel(network);
  GroundMemory memory = agree_on_ground(channel, row.views()).memory;
  memory.scale_m = 2;
  const std::vector<std::optional<GroundMemory>> last(8, memory);
  const GroundAgreement found = agree_on_ground(channel, row.views(), {}, last);
  EXPECT_FALSE(found.tracked);
  EXPECT_DOUBLE_EQ(found.scale_m, 0.1);
}

TEST(AgreeOnGround, WhoSeesNothingStillLearnsOfIt) {
  const Row row{.vehicles = 6};
  Views views = row.views();
  views[0].reset();
  views[3].reset();
  const GroundAgreement found = agree(views, Graph::ring(6));
  EXPECT_LT(worst_m(row, found), 1e-3);
  EXPECT_EQ(found.views, 4);
  EXPECT_TRUE(agree(Views(6), Graph::ring(6)).planes.empty());
}

TEST(AgreeOnGround, SendsLittleWhereNewsTravelsFast) {
  const Row row{.vehicles = 16};
  const Network network(Graph::erdos_renyi(16, 0.4, 3));
  LocalChannel channel(network);
  agree_on_ground(channel, row.views());
  EXPECT_LT(channel.traffic().bytes_per_agent(network.graph), 12e3);
}

}  // namespace
}  // namespace roadplane
