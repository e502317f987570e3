#include <gtest/gtest.h>

#include "dpcp/shard_clouds.hpp"
#include "roadplane/dpcp/dpcp.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/objective/robust_objective.hpp"
#include "support/input_error.hpp"
#include "support/random_data.hpp"

namespace roadplane {
namespace {

using test::kAgents;
using test::shard_clouds;

const Eigen::Vector4d kRoad = Eigen::Vector4d(0.03, -0.02, 1, 1.7).normalized();

/// Points around the sensor, denser near it: `road` of them on the plane, `platform` on one half a
/// metre above it on one side, the rest on walls and in the air.
Scan street(double road, double platform, std::size_t count = 20'000) {
  CounterRandom random(7, RandomUse::user);
  Scan scan(count);
  for (Point& p : scan) {
    const double range_m = 4 * std::exp(2.3 * random.uniform());
    const double kind = random.uniform();
    const double angle =
        kind >= road && kind < road + platform ? -3 * random.uniform() : 6.2832 * random.uniform();
    const double x = range_m * std::cos(angle);
    const double y = range_m * std::sin(angle);
    double z = -(kRoad(0) * x + kRoad(1) * y + kRoad(3)) / kRoad(2) + 0.01 * random.normal();
    if (kind >= road) z += kind < road + platform ? 0.5 : 0.2 + 0.4 * range_m * random.uniform();
    p = {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), 0};
  }
  return scan;
}

DpcpResult solve(const Scan& scan, const DpcpOptions& options = {},
                 const Graph& graph = Graph::erdos_renyi(kAgents, 0.5, 1)) {
  const Network network(graph);
  LocalChannel channel(network);
  return solve_dpcp(channel, shard_clouds(scan, ShardKind::azimuth, graph.size()), options);
}

TEST(Robust, FindsTheRoadOnEveryNetworkAndAllAgentsAgree) {
  const Scan scan = street(0.5, 0);
  for (const Graph& graph :
       {Graph::erdos_renyi(16, 0.5, 1), Graph::ring(16), Graph::star(16), Graph::ring(64),
        Graph::star(64), Graph::complete(4), Graph::path(2), Graph::path(1)}) {
    const DpcpResult result = solve(scan, {}, graph);
    ASSERT_EQ(result.w.size(), static_cast<std::size_t>(graph.size()));
    EXPECT_EQ(result.road.note(), "");
    EXPECT_EQ(result.solve.termination, Termination::completed);
    for (const Eigen::Vector4d& w : result.w) {
      EXPECT_LT(recovery_error(w, kRoad), 2e-3) << graph.size();
      EXPECT_LT((w - result.w[0]).norm(), 1e-4);
    }
  }
}

TEST(Robust, WelschAndTheOtherSolversFindTheSameRoad) {
  const Scan scan = street(0.5, 0);
  DpcpOptions options;
  options.objective = RobustOptions{.loss = RobustLoss("welsch")};
  EXPECT_LT(recovery_error(solve(scan, options).w[0], kRoad), 2e-3);
  options.objective = RobustOptions{};
  options.solver = DestinyOptions{};
  EXPECT_LT(recovery_error(solve(scan, options).w[0], kRoad), 2e-3);
  options.solver = DrgtaOptions{};
  EXPECT_LT(recovery_error(solve(scan, options).w[0], kRoad), 2e-2);
  options.solver = DrsgdOptions{};  // no variance reduction: its noise stays
  EXPECT_LT(recovery_error(solve(scan, options).w[0], kRoad), 5e-2);
}

TEST(Robust, TheTrackersMeanIsTheEstimatesMeanWhileTheScaleShrinks) {
  const Network network(Graph::ring(8));
  LocalChannel channel(network);
  const auto clouds = shard_clouds(street(0.5, 0), ShardKind::contiguous, 8);
  const Graduation graduation{.sharpenings = 4};
  std::vector<std::unique_ptr<Objective<4, 1>>> objectives;
  for (const auto& cloud : clouds) {
    objectives.push_back(
        std::make_unique<RobustObjective>(cloud, Eigen::Matrix4d::Identity(), graduation));
  }
  VrsgtOptions options;
  options.inner_iterations = 5;
  options.step = 0.3;
  Vrsgt<4, 1> method(channel, objectives, std::vector(8, kRoad), options);
  for (int k = 1; k <= 60; ++k) {
    method.iterate(k);
    Eigen::Vector4d difference = Eigen::Vector4d::Zero();
    for (int i = 0; i < 8; ++i) difference += method.trackers()[i] - method.estimates()[i];
    ASSERT_LT(difference.norm() / 8, 1e-12) << k;
  }
}

TEST(Robust, SamplesCountWhatThinnedPassesLookedAt) {
  constexpr std::size_t kShard = 6400;
  DpcpOptions options;
  std::get<VrsgtOptions>(options.solver).stop.max_iterations = 23;  // of 24 in the first phase
  const auto samples = [&](int thinning) {
    std::get<RobustOptions>(options.objective).thinning = thinning;
    return solve(street(0.5, 0, kAgents * kShard), options).solve.samples;
  };
  // At the start every fourth point at least; then a full pass for each of four stages, and 19
  // batches of 16 at two points.
  constexpr std::int64_t kInner = (4 * 5 - 1) * 2 * 16;
  const std::int64_t difference = samples(1) - samples(16);
  EXPECT_NEAR(static_cast<double>(difference),
              kShard * (1 / 4.0 - 1 / 16.0 + 4 - 1 / 16.0 - 1 / 8.0 - 1 / 4.0 - 1 / 2.0), 5 * 16);
  EXPECT_NEAR(static_cast<double>(samples(1)), kShard * (1 / 4.0 + 4) + kInner, 16);
}

TEST(Robust, SameSeedSameBits) {
  const Scan scan = street(0.5, 0);
  const DpcpResult first = solve(scan);
  const DpcpResult second = solve(scan);
  for (int i = 0; i < kAgents; ++i) EXPECT_EQ(first.w[i], second.w[i]);
}

TEST(Robust, KeepsToTheTrafficBudgetOnEveryDrawOfTheNetwork) {
  const Scan scan = street(0.5, 0);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Graph graph = Graph::erdos_renyi(kAgents, 0.5, seed);
    const DpcpResult result = solve(scan, {}, graph);
    EXPECT_LE(result.traffic.rounds, 400) << seed;
    EXPECT_LE(result.traffic.bytes_per_agent(graph), 64'000) << seed;
    EXPECT_EQ(result.gossip_rounds, 1) << seed;
    EXPECT_LT(recovery_error(result.w.at(0), kRoad), 2e-3) << seed;
  }
}

TEST(Robust, AnOversizedStepIsHalvedUntilItWorks) {
  DpcpOptions options;
  options.objective = RobustOptions{.step = 8};
  const DpcpResult result = solve(street(0.5, 0), options);
  EXPECT_GT(result.solve.step_halvings, 0);
  EXPECT_NE(result.solve.termination, Termination::diverged);
  EXPECT_LT(recovery_error(result.w.at(0), kRoad), 5e-3);

  options.objective = RobustOptions{.step = 8, .max_step_halvings = 0};
  const DpcpResult stuck = solve(street(0.5, 0), options);
  EXPECT_EQ(stuck.solve.termination, Termination::diverged);
  for (const Eigen::Vector4d& w : stuck.w) EXPECT_TRUE(w.allFinite());
}

TEST(Robust, OfTwoPlanesTakesTheLowerAndSaysSo) {
  const DpcpResult result = solve(street(0.35, 0.3));
  EXPECT_LT(recovery_error(result.w.at(0), kRoad), 1e-2);
  EXPECT_NEAR(result.road.second_plane_m, 0.5, 0.15);
  EXPECT_NE(result.road.note().find("a second plane"), std::string::npos);
}

TEST(Robust, AnUpsideDownSensorIsFoundAndReported) {
  Scan scan = street(0.5, 0);
  for (Point& p : scan) p = {p.x, -p.y, -p.z, 0};
  const DpcpResult result = solve(scan);
  EXPECT_EQ(result.road.mounting, Mounting::upside_down);
  EXPECT_LT(recovery_error(result.w.at(0), {kRoad(0), -kRoad(1), -kRoad(2), kRoad(3)}), 3e-3);
  EXPECT_NE(result.road.note().find("upside down"), std::string::npos);
}

TEST(Robust, ACamerasAxesAreFoundAndReported) {
  Scan scan = street(0.5, 0);
  for (Point& p : scan) p = {-p.y, -p.z, p.x, 0};  // x right, y down, z forward
  const DpcpResult result = solve(scan);
  EXPECT_EQ(result.road.mounting, Mounting::other_axis);
  EXPECT_EQ(result.road.up_axis, 'y');
  EXPECT_LT(recovery_error(result.w.at(0), {-kRoad(1), -kRoad(2), kRoad(0), kRoad(3)}), 3e-3);
}

TEST(Robust, AWallWithMorePointsIsNotTheRoad) {
  Scan scan = street(0.6, 0, 10'000);
  CounterRandom random(8, RandomUse::user);
  for (int k = 0; k < 14'000; ++k) {  // close by on the left
    scan.push_back({static_cast<float>(16 * random.uniform() - 8),
                    static_cast<float>(2 + 0.01 * random.normal()),
                    static_cast<float>(5 * random.uniform() - 1.7), 0});
  }
  const DpcpResult result = solve(scan);
  EXPECT_EQ(result.road.mounting, Mounting::expected);
  EXPECT_TRUE(result.road.prior_applied);
  EXPECT_LT(recovery_error(result.w.at(0), kRoad), 1e-2);
}

TEST(Robust, DegenerateInputIsAnOutcomeThatSaysWhy) {
  EXPECT_EQ(solve({}).degeneracy, "no usable point");
  EXPECT_EQ(solve({{1, 2, 3, 0}, {3, 2, 1, 0}}).degeneracy, "fewer than 3 usable points");
  EXPECT_EQ(solve(Scan(40, Point{1, 2, 3, 0})).degeneracy, "all points are identical");
  for (const Eigen::Vector4d& w : solve(street(0.5, 0, 10)).w) EXPECT_TRUE(w.allFinite());
}

TEST(RobustOptions, BadFieldsAreNamed) {
  const auto message = [](const auto& spoil) {
    RobustOptions options;
    spoil(options);
    return test::input_error_of([&] { options.validate(); });
  };
  EXPECT_NO_THROW(RobustOptions().validate());
  EXPECT_EQ(message([](auto& o) { o.scale_rad = 0; }),
            "scale_rad: expected an angle in (0, 1) rad, found 0");
  EXPECT_NE(message([](auto& o) { o.start_scale_rad = 0.001; }).find("start_scale_rad"),
            std::string::npos);
  EXPECT_NE(message([](auto& o) { o.step = NAN; }), "");
  EXPECT_NE(message([](auto& o) { o.beyond = 0.5; }), "");
  EXPECT_NE(message([](auto& o) { o.final_beyond = 0; }), "");
  EXPECT_NE(message([](auto& o) { o.thinning = 0; }), "");
  EXPECT_NE(message([](auto& o) { o.final_stages = 0; }), "");
  EXPECT_EQ(message([](auto& o) { o.prior.min_height_m = 5; }),
            "prior.min_height_m: expected less than prior.max_height_m (4), found 5");
}

}  // namespace
}  // namespace roadplane
