// The robust solve on generated points: what it finds, says and spends.

#include <gtest/gtest.h>

#include "dpcp/shard_clouds.hpp"
#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/objective/robust_objective.hpp"
#include "support/input_error.hpp"
#include "support/random_data.hpp"

namespace roadplane {
namespace {

using test::kAgents;
using test::shard_clouds;

const Eigen::Vector4d kRoad = Eigen::Vector4d(0.03, -0.02, 1, 1.7).normalized();

/// Points around the sensor, denser near it: `road` of them on the plane, `platform` on one 0.12 m
/// above it on one side, the rest on walls and in the air.
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
    if (kind >= road) z += kind < road + platform ? 0.12 : 0.2 + 0.4 * range_m * random.uniform();
    p = {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), 0};
  }
  return scan;
}

PlaneFit fit_of(const Scan& scan, const PlaneOptions& options = {},
                const Graph& graph = Graph::erdos_renyi(kAgents, 0.5, 1)) {
  const Network network(graph);
  LocalChannel channel(network);
  return find_plane(channel, shard_clouds(scan, ShardKind::azimuth, graph.size()), options);
}

double error_of(const PlaneFit& fit, const Eigen::Vector4d& truth = kRoad) {
  double worst = fit.w.empty() ? 1 : 0;
  for (const Eigen::Vector4d& w : fit.w) worst = std::max(worst, recovery_error(w, truth));
  return worst;
}

TEST(Robust, FindsTheRoadOnEveryNetworkAndAllAgentsAgree) {
  const Scan scan = street(0.5, 0);
  for (const Graph& graph :
       {Graph::erdos_renyi(16, 0.5, 1), Graph::ring(16), Graph::star(16), Graph::ring(64),
        Graph::star(64), Graph::complete(4), Graph::path(2), Graph::path(1)}) {
    const PlaneFit fit = fit_of(scan, {}, graph);
    ASSERT_EQ(fit.w.size(), static_cast<std::size_t>(graph.size()));
    EXPECT_EQ(fit.finding.note(), "") << graph.size();
    EXPECT_EQ(fit.solve.termination, Termination::converged) << graph.size();
    EXPECT_LT(error_of(fit), 6e-4) << graph.size();
    for (const Eigen::Vector4d& w : fit.w) EXPECT_LT((w - fit.w[0]).norm(), 2e-5);
  }
}

TEST(Robust, TheOtherLossesAndSolversFindTheSameRoad) {
  const Scan scan = street(0.5, 0);
  for (const std::string_view loss : robust_loss_names()) {
    PlaneOptions options;
    options.objective = RobustOptions{.loss = RobustLoss(loss)};
    EXPECT_LT(error_of(fit_of(scan, options)), 1e-3) << loss;
  }
  for (const std::string_view name : solver_names()) {
    PlaneOptions options;
    options.solver = *solver_by_name(name);
    const bool noisy = name == "drsgd";  // no variance reduction
    EXPECT_LT(error_of(fit_of(scan, options)), noisy ? 2e-2 : 1e-3) << name;
  }
}

/// The minimiser does not depend on how it was reached.
TEST(Robust, SeedsNetworksAndShardsGiveTheSamePlane) {
  const Scan scan = street(0.45, 0.1);
  const Eigen::Vector4d first = fit_of(scan).w.at(0);
  for (const Graph& graph : {Graph::erdos_renyi(16, 0.5, 1), Graph::ring(16), Graph::star(64)}) {
    const Network network(graph);
    for (const ShardKind kind :
         {ShardKind::azimuth, ShardKind::contiguous, ShardKind::interleaved, ShardKind::random}) {
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        VrsgtOptions solver;
        solver.seed = seed;
        LocalChannel channel(network);
        const PlaneFit fit =
            find_plane(channel, shard_clouds(scan, kind, graph.size()), {solver, RobustOptions{}});
        EXPECT_LT(error_of(fit, first), 1e-4) << graph.size() << " " << to_string(kind) << seed;
      }
    }
  }
}

TEST(Robust, SameSeedSameBits) {
  const Scan scan = street(0.5, 0);
  const PlaneFit first = fit_of(scan);
  const PlaneFit second = fit_of(scan);
  for (int i = 0; i < kAgents; ++i) EXPECT_EQ(first.w[i], second.w[i]);
  EXPECT_EQ(first.finding.tilt_deg->high, second.finding.tilt_deg->high);
}

TEST(Robust, EveryAgentsPointsCount) {
  const Scan scan = street(0.5, 0);
  auto clouds = shard_clouds(scan, ShardKind::azimuth, kAgents);
  const Network network(Graph::erdos_renyi(kAgents, 0.5, 1));
  const auto solve = [&] {
    LocalChannel channel(network);
    return find_plane(channel, clouds, {});
  };
  const Eigen::Vector4d all = solve().w.at(0);
  for (const int agent : {0, 7, 15}) {
    HomogeneousCloud kept = clouds[agent];
    Scan lifted;
    for (std::size_t j = 0; j < kept.size(); ++j) {
      const Eigen::Vector4d b = kept.column(j);
      lifted.push_back({static_cast<float>(b(0) / b(3)), static_cast<float>(b(1) / b(3)),
                        static_cast<float>(b(2) / b(3) + 0.03), 0});
    }
    clouds[agent].assign(lifted);
    const double moved = recovery_error(solve().w.at(0), all);
    EXPECT_GT(moved, 2e-4) << agent;
    EXPECT_LT(moved, 1e-2) << agent;
    clouds[agent] = std::move(kept);
  }
}

TEST(Robust, KeepsToTheTrafficBudgetOnEveryDrawOfTheNetwork) {
  const Scan scan = street(0.5, 0);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Graph graph = Graph::erdos_renyi(kAgents, 0.5, seed);
    const PlaneFit fit = fit_of(scan, {}, graph);
    EXPECT_LE(fit.traffic.rounds, 200) << seed;
    EXPECT_LE(fit.traffic.bytes_per_agent(graph), 40'000) << seed;
    EXPECT_EQ(fit.gossip_rounds, 1) << seed;
    EXPECT_LT(error_of(fit), 6e-4) << seed;
  }
}

void expect_limits_of_the_whole_solve(int agents) {
  const Scan scan = street(0.5, 0);
  const auto limited = [&](const StopOptions& stop) {
    VrsgtOptions solver;
    solver.stop = stop;
    return fit_of(scan, {solver, RobustOptions{.rest = 1e-12}},  // never at rest
                  Graph::erdos_renyi(agents, 0.5, 1));
  };
  const PlaneFit whole = limited({});
  EXPECT_EQ(whole.solve.termination, Termination::iteration_limit);
  const PlaneFit none = limited({.max_rounds = whole.start.rounds + 4});
  EXPECT_EQ(none.solve.termination, Termination::budget_too_small);
  EXPECT_TRUE(none.w.empty());
  EXPECT_EQ(none.traffic.rounds, 0);
  const std::int64_t needed = std::stoll(none.solve.needs);
  for (const std::int64_t budget : {needed, needed + 7, needed + 100}) {
    const PlaneFit rounds = limited({.max_rounds = budget});
    EXPECT_EQ(rounds.solve.termination, Termination::round_limit);
    EXPECT_LE(rounds.traffic.rounds, budget);
    EXPECT_LT(error_of(rounds), 1e-2);
  }
  EXPECT_LE(limited({.max_samples = 30'000}).samples, 30'000);
  EXPECT_EQ(limited({.max_iterations = 3}).solve.iterations, 3);
  EXPECT_EQ(limited({.max_samples = 1}).solve.termination, Termination::budget_too_small);
  EXPECT_EQ(limited({.max_seconds = 1e-9}).solve.termination, Termination::budget_too_small);
  EXPECT_GT(whole.samples, 20'000 / agents);
}

TEST(Robust, LimitsAreOfTheWholeSolve) { expect_limits_of_the_whole_solve(kAgents); }
TEST(Robust, LimitsAreOfTheWholeSolveOfManyAgents) { expect_limits_of_the_whole_solve(64); }

TEST(Robust, AnIterationIsEnoughForAPlane) {
  const PlaneFit fit = fit_of(street(0.5, 0), {VrsgtOptions(), RobustOptions{.max_iterations = 1}},
                              Graph::erdos_renyi(kAgents, 0.5, 1));
  EXPECT_EQ(fit.solve.iterations, 1);
  EXPECT_EQ(fit.w.size(), static_cast<std::size_t>(kAgents));
}

TEST(Robust, AnOversizedStepIsHalvedUntilItWorks) {
  PlaneOptions options;
  options.objective = RobustOptions{.step = 16};
  const PlaneFit fit = fit_of(street(0.5, 0), options);
  EXPECT_GT(fit.solve.step_halvings, 0);
  EXPECT_NE(fit.solve.termination, Termination::diverged);
  EXPECT_LT(error_of(fit), 2e-3);

  options.objective = RobustOptions{.step = 16, .max_step_halvings = 0};
  const PlaneFit stuck = fit_of(street(0.5, 0), options);
  EXPECT_EQ(stuck.solve.termination, Termination::diverged);
  for (const Eigen::Vector4d& w : stuck.w) EXPECT_TRUE(w.allFinite());
}

/// As many points lie on the platform as on the road, on one side of the sensor.
TEST(Robust, OfTwoPlanesTakesTheOneThatIsSought) {
  const Scan scan = street(0.4, 0.25);
  const PlaneFit lowest = fit_of(scan);
  EXPECT_LT(error_of(lowest), 5e-3);
  PlaneOptions options;
  options.objective = RobustOptions{.sought = PlaneSought::dominant};
  const PlaneFit dominant = fit_of(scan, options);
  EXPECT_GT(error_of(dominant), 7e-3);
}

TEST(Robust, IntervalsHoldTheTruth) {
  const PlaneFit fit = fit_of(street(0.5, 0));
  ASSERT_TRUE(fit.finding.tilt_deg && fit.finding.height_m);
  const double tilt_deg = std::acos(kRoad(2) / kRoad.head<3>().norm()) * 180 / M_PI;
  const double height_m = kRoad(3) / kRoad.head<3>().norm();
  EXPECT_LE(fit.finding.tilt_deg->low, tilt_deg);
  EXPECT_GE(fit.finding.tilt_deg->high, tilt_deg);
  EXPECT_LE(fit.finding.height_m->low, height_m);
  EXPECT_GE(fit.finding.height_m->high, height_m);
  EXPECT_LT(fit.finding.tilt_deg->high - fit.finding.tilt_deg->low, 0.2);
  EXPECT_LT(fit.finding.height_m->high - fit.finding.height_m->low, 0.02);
}

TEST(Robust, AnUpsideDownSensorIsFoundAndReported) {
  Scan scan = street(0.5, 0);
  for (Point& p : scan) p = {p.x, -p.y, -p.z, 0};
  const PlaneFit fit = fit_of(scan);
  EXPECT_EQ(fit.finding.mounting, Mounting::upside_down);
  EXPECT_LT(error_of(fit, {kRoad(0), -kRoad(1), -kRoad(2), kRoad(3)}), 1e-3);
  EXPECT_NE(fit.finding.note().find("upside down"), std::string::npos);
  EXPECT_TRUE(fit.finding.suspect());
}

TEST(Robust, ACamerasAxesAreFoundAndReported) {
  Scan scan = street(0.5, 0);
  for (Point& p : scan) p = {-p.y, -p.z, p.x, 0};  // x right, y down, z forward
  const PlaneFit fit = fit_of(scan);
  EXPECT_EQ(fit.finding.mounting, Mounting::other_axis);
  EXPECT_EQ(fit.finding.up_axis, 'y');
  EXPECT_LT(error_of(fit, {-kRoad(1), -kRoad(2), kRoad(0), kRoad(3)}), 1e-3);
  EXPECT_TRUE(fit.finding.suspect());
}

TEST(Robust, AWallWithMorePointsIsNotTheRoad) {
  Scan scan = street(0.6, 0, 10'000);
  CounterRandom random(8, RandomUse::user);
  for (int k = 0; k < 14'000; ++k) {  // close by on the left
    scan.push_back({static_cast<float>(16 * random.uniform() - 8),
                    static_cast<float>(2 + 0.01 * random.normal()),
                    static_cast<float>(5 * random.uniform() - 1.7), 0});
  }
  const PlaneFit fit = fit_of(scan);
  EXPECT_EQ(fit.finding.mounting, Mounting::expected);
  EXPECT_LT(error_of(fit), 3e-3);
}

/// Suspect, or no plane at all.
bool doubted(const Scan& scan) {
  const PlaneFit fit = fit_of(scan);
  return fit.w.empty() || fit.finding.suspect();
}

Scan noise(double spread_m) {
  CounterRandom random(5, RandomUse::user);
  Scan scan(20'000);
  for (Point& p : scan) {
    p = {static_cast<float>(spread_m * random.normal()),
         static_cast<float>(spread_m * random.normal()),
         static_cast<float>(spread_m * random.normal()), 0};
  }
  return scan;
}

TEST(Robust, CloudsWithoutARoadAreDoubted) {
  Scan millimetres = street(0.5, 0);
  for (Point& p : millimetres) p = {1000 * p.x, 1000 * p.y, 1000 * p.z, 0};
  EXPECT_TRUE(doubted(millimetres));
  for (const double spread_m : {1.0, 3.0, 10.0}) EXPECT_TRUE(doubted(noise(spread_m))) << spread_m;
  Scan wall;
  CounterRandom random(8, RandomUse::user);
  for (int k = 0; k < 10'000; ++k) {
    wall.push_back({static_cast<float>(40 * random.uniform() - 20),
                    static_cast<float>(6 + 0.01 * random.normal()),
                    static_cast<float>(5 * random.uniform() - 1.7), 0});
  }
  EXPECT_TRUE(doubted(wall));
  Scan no_floor;
  for (const Point& p : street(0.5, 0)) {
    const double above_m = kRoad.dot(Eigen::Vector4d(p.x, p.y, p.z, 1)) / kRoad.head<3>().norm();
    if (above_m > 0.3) no_floor.push_back(p);
  }
  EXPECT_TRUE(doubted(no_floor));
  Scan sideways = street(0.5, 0);
  for (Point& p : sideways) p = {p.x, -p.z, p.y, 0};
  EXPECT_TRUE(doubted(sideways));
}

TEST(Robust, FewPointsAreDoubted) {
  for (const std::size_t count : {3U, 4U, 10U, 30U, 45U}) {
    EXPECT_TRUE(doubted(street(1, 0, count))) << count;
  }
}

TEST(Robust, DegenerateInputIsAnOutcomeThatSaysWhy) {
  Scan line;
  for (int k = 0; k < 40; ++k) line.push_back({1.0F + static_cast<float>(k), 2, 3, 0});
  for (const Scan& scan : {Scan{}, Scan{{1, 2, 3, 0}, {3, 2, 1, 0}}, Scan(40, Point{1, 2, 3, 0}),
                           Scan(100, Point{NAN, 0, 0, 0}), line}) {
    const PlaneFit fit = fit_of(scan);
    EXPECT_NE(fit.degeneracy, "") << scan.size();
    EXPECT_EQ(fit.solve.termination, Termination::degenerate_input);
    EXPECT_TRUE(fit.w.empty());
  }
}

TEST(Robust, TheTrackersMeanIsTheEstimatesMean) {
  const Network network(Graph::ring(8));
  LocalChannel channel(network);
  const auto clouds = shard_clouds(street(0.5, 0), ShardKind::contiguous, 8);
  std::vector<std::unique_ptr<Objective<4, 1>>> objectives;
  for (const auto& cloud : clouds) {
    objectives.push_back(std::make_unique<RobustObjective>(cloud, Eigen::Matrix4d::Identity(),
                                                           RobustOptions().window(),
                                                           RobustObjective::Scale{.points = 2500}));
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

TEST(RobustOptions, BadFieldsAreNamed) {
  const auto message = [](const auto& spoil) {
    RobustOptions options;
    spoil(options);
    return test::input_error_of([&] { options.validate(); });
  };
  EXPECT_NO_THROW(RobustOptions().validate());
  EXPECT_EQ(message([](auto& o) { o.dominant_rad = 0; }),
            "dominant_rad: expected an angle in (0, 1) rad, found 0");
  EXPECT_EQ(message([](auto& o) { o.above.rad = 1; }),
            "above.rad: expected an angle in (0, 1) rad, found 1");
  EXPECT_EQ(message([](auto& o) { o.below.m = -1; }),
            "below.m: expected a distance in [0, 1) m, found -1");
  EXPECT_NE(message([](auto& o) { o.near_m = -1; }).find("near_m"), std::string::npos);
  EXPECT_NE(message([](auto& o) { o.step = NAN; }).find("step"), std::string::npos);
  EXPECT_NE(message([](auto& o) { o.rest = 0; }).find("rest"), std::string::npos);
  EXPECT_NE(message([](auto& o) { o.max_iterations = 0; }).find("max_iterations"),
            std::string::npos);
  EXPECT_EQ(message([](auto& o) { o.prior = {.min_height_m = 5, .max_height_m = 4}; }),
            "prior.min_height_m: expected less than prior.max_height_m (4), found 5");
  EXPECT_EQ(message([](auto& o) { o.prior.max_tilt_deg = 81; }),
            "prior.max_tilt_deg: expected degrees in (0, 80], found 81");
}

}  // namespace
}  // namespace roadplane
