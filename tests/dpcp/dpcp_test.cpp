#include <gtest/gtest.h>

#include "dpcp/shard_clouds.hpp"
#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/objective/cloud_objective.hpp"
#include "roadplane/objective/l3_loss.hpp"
#include "support/random_data.hpp"

namespace roadplane {
namespace {

using test::kAgents;
using test::shard_clouds;

/// Half the columns in a hyperplane of R^4 (with a little noise), half anywhere on the sphere. A
/// column b is the point b/b_4: neither length nor sign of a column matters.
Scan half_outliers(const Eigen::Vector4d& normal, std::size_t count) {
  CounterRandom random(31, RandomUse::user);
  Scan scan(count);
  for (std::size_t k = 0; k < count; ++k) {
    Eigen::Vector4d b(random.normal(), random.normal(), random.normal(), random.normal());
    if (k % 2 == 0) b -= (normal.dot(b) + 0.01 * random.normal()) * normal;
    b /= b(3);
    scan[k] = {static_cast<float>(b(0)), static_cast<float>(b(1)), static_cast<float>(b(2)), 0};
  }
  return scan;
}

PlaneOptions vrsgt() {
  VrsgtOptions options;
  options.step = 0.05;
  options.batch = 16;
  options.stop.max_iterations = 20'000;
  options.stop.residual_tolerance = 1e-12;
  return {options, L3Options{}};
}

const Eigen::Vector4d kNormal = Eigen::Vector4d(0.03, -0.02, 1, 1.7).normalized();

/// The maximiser by plain projected gradient steps on the pooled, whitened data.
Eigen::Vector4d centralised(const Scan& scan) {
  HomogeneousCloud cloud;
  cloud.assign(scan);
  const Spectrum spectrum(cloud.second_moment(), static_cast<double>(cloud.size()));
  const CloudObjective<L3Loss, 1> objective(cloud, spectrum.whitening());
  Eigen::Vector4d x = spectrum.smallest();
  Eigen::Vector4d gradient;
  for (int k = 0; k < 2000; ++k) {
    objective.gradient(x, gradient);
    x = (x - 0.1 * gradient).normalized();
  }
  return (spectrum.whitening() * x).normalized();
}

class Dpcp : public testing::TestWithParam<ShardKind> {};

TEST_P(Dpcp, VrsgtRecoversTheNormalAndAllAgentsAgree) {
  const Scan scan = half_outliers(kNormal, 16'000);
  const Network network(Graph::erdos_renyi(kAgents, 0.5, 1));
  LocalChannel channel(network);
  const auto clouds = shard_clouds(scan, GetParam(), kAgents);
  const PlaneFit result = find_plane(channel, clouds, vrsgt());
  ASSERT_EQ(result.degeneracy, "");
  EXPECT_EQ(result.solve.termination, Termination::converged);
  ASSERT_EQ(result.w.size(), 16U);
  const Eigen::Vector4d expected = centralised(scan);
  for (const Eigen::Vector4d& w : result.w) {
    EXPECT_NEAR(w.norm(), 1, 1e-14);
    EXPECT_LT(recovery_error(w, kNormal), 0.02);
    EXPECT_LT(recovery_error(w, expected), 1e-7);
    EXPECT_LT((w - result.w[0]).norm(), 1e-10);
  }
  EXPECT_GT(result.start.rounds, 0);
}

INSTANTIATE_TEST_SUITE_P(Shards, Dpcp,
                         testing::Values(ShardKind::azimuth, ShardKind::contiguous,
                                         ShardKind::interleaved, ShardKind::random),
                         [](const auto& kind) { return std::string(to_string(kind.param)); });

TEST(Dpcp, TheOtherSolversFindTheSamePlane) {
  const Scan scan = half_outliers(kNormal, 4'000);
  const Network network(Graph::complete(4));
  const auto clouds = shard_clouds(scan, ShardKind::interleaved, 4);
  const Eigen::Vector4d expected = centralised(scan);
  const auto error = [&](auto options, double step = 0.05) {
    options.step = step;
    options.stop.max_iterations = 5000;
    LocalChannel channel(network);
    return recovery_error(find_plane(channel, clouds, {options, L3Options{}}).w[0], expected);
  };
  EXPECT_LT(error(DestinyOptions{}), 1e-8);
  EXPECT_LT(error(DrgtaOptions{}), 1e-8);
  EXPECT_LT(error(DprgtOptions{}), 1e-8);
  EXPECT_LT(error(RextraOptions{}), 1e-8);
  EXPECT_LT(error(DrsgdOptions{}, 0.005), 1e-2);
  EXPECT_LT(error(GossipIrlsOptions{}), 1e-4);  // single precision on the wire
}

TEST(Dpcp, TheTraceTellsTheHyperplaneAndAllThatWasSent) {
  const Scan scan = half_outliers(kNormal, 4'000);
  const Network network(Graph::ring(8));
  const auto clouds = shard_clouds(scan, ShardKind::interleaved, 8);
  for (const bool robust : {true, false}) {
    PlaneOptions options = vrsgt();
    if (robust) options.objective = RobustOptions{};
    std::visit(
        [](SolverOptions& o) {
          o.trace.growth = 1.5;
          o.trace.mean = true;
        },
        options.solver);
    LocalChannel channel(network);
    const PlaneFit result = find_plane(channel, clouds, options);
    const std::vector<TraceEntry>& trace = result.solve.trace;
    ASSERT_GT(trace.size(), 5U);
    for (const TraceEntry& entry : trace) EXPECT_NEAR(entry.mean.norm(), 1, 1e-12);
    // What is left after the last entry is an agreement closer than the iterations'.
    EXPECT_LT(recovery_error(trace.back().mean, result.w[0]), robust ? 1e-4 : 1e-9);
    EXPECT_GT(recovery_error(trace.front().mean, result.w[0]), robust ? 0 : 1e-3);
    EXPECT_EQ(trace.front().traffic.rounds >= result.start.rounds, true);
    if (robust) {  // the last agreement and the inspection follow
      EXPECT_LT(trace.back().traffic.rounds, result.traffic.rounds);
      continue;
    }
    EXPECT_EQ(trace.back().traffic.rounds, result.traffic.rounds);
    EXPECT_EQ(trace.back().traffic.bytes_per_link, result.traffic.bytes_per_link);
    EXPECT_NEAR(trace.back().seconds, result.start_seconds + result.solving_seconds, 1e-3);
  }
}

TEST(Dpcp, ALimitOfRoundsIncludesTheWhitening) {
  const Scan scan = half_outliers(kNormal, 4'000);
  const Network network(Graph::ring(8));
  PlaneOptions options = vrsgt();
  std::get<VrsgtOptions>(options.solver).stop.max_rounds = 500;
  LocalChannel channel(network);
  const PlaneFit result =
      find_plane(channel, shard_clouds(scan, ShardKind::interleaved, 8), options);
  EXPECT_EQ(result.solve.termination, Termination::round_limit);
  EXPECT_GT(result.start.rounds, 20);
  EXPECT_LE(result.traffic.rounds, 500);
  EXPECT_GT(result.traffic.rounds, 500 - 2 - 4);  // an iteration and a flood less
}

TEST(Dpcp, AgentsAgreeOnTheSpectrumOfThePooledCloud) {
  const Scan scan = half_outliers(kNormal, 5'000);
  HomogeneousCloud pooled;
  pooled.assign(scan);
  const Spectrum expected(pooled.second_moment(), 5000);
  for (const Graph& graph : {Graph::ring(16), Graph::star(16)}) {
    const Network network(graph);
    LocalChannel channel(network);
    const auto views =
        agree_on_spectrum(channel, shard_clouds(scan, ShardKind::contiguous, 16), 1e-14);
    for (const Spectrum& view : views) {
      EXPECT_NEAR((view.whitening() - expected.whitening()).norm(), 0, 1e-9);
      EXPECT_NEAR(recovery_error(view.smallest(), expected.smallest()), 0, 1e-10);
    }
  }
}

TEST(Dpcp, DegenerateInputIsAnOutcomeThatSaysWhy) {
  const Network network(Graph::ring(4));
  const auto outcome = [&](const Scan& scan) {
    LocalChannel channel(network);
    const PlaneFit result =
        find_plane(channel, shard_clouds(scan, ShardKind::interleaved, 4), vrsgt());
    EXPECT_EQ(result.solve.termination, Termination::degenerate_input);
    EXPECT_TRUE(result.w.empty());
    return result.degeneracy;
  };
  EXPECT_EQ(outcome({}), "no usable point");
  EXPECT_EQ(outcome(Scan(100, Point{NAN, 0, 0, 0})), "no usable point");
  EXPECT_EQ(outcome({{1, 2, 3, 0}, {3, 2, 1, 0}}), "fewer than 3 usable points");
  EXPECT_EQ(outcome(Scan(40, Point{1, 2, 3, 0})), "all points are identical");
  Scan line;
  for (int k = 0; k < 40; ++k) line.push_back({1.0F + static_cast<float>(k), 2, 3, 0});
  EXPECT_EQ(outcome(line), "all points are collinear");
}

TEST(Dpcp, PointsOnOneExactPlaneGiveThatPlane) {
  Scan scan = test::random_scan(400, 1);
  for (Point& p : scan) p.z = -1.5F;
  const Network network(Graph::ring(4));
  LocalChannel channel(network);
  const PlaneFit result =
      find_plane(channel, shard_clouds(scan, ShardKind::interleaved, 4), vrsgt());
  EXPECT_EQ(result.solve.termination, Termination::converged);
  EXPECT_LT(recovery_error(result.w.at(0), {0, 0, 1, 1.5}), 1e-6);
}

TEST(Dpcp, MoreAgentsThanPoints) {
  const Scan scan = half_outliers(kNormal, 10);
  const Network network(Graph::ring(16));
  LocalChannel channel(network);
  const PlaneFit result =
      find_plane(channel, shard_clouds(scan, ShardKind::interleaved, 16), vrsgt());
  ASSERT_EQ(result.w.size(), 16U);
  for (const Eigen::Vector4d& w : result.w) EXPECT_TRUE(w.allFinite());
}

TEST(Dpcp, AnOversizedStepIsReportedAsDiverged) {
  const Scan scan = half_outliers(kNormal, 4'000);
  const Network network(Graph::ring(8));
  LocalChannel channel(network);
  VrsgtOptions options;
  options.step = 10;
  const PlaneFit result =
      find_plane(channel, shard_clouds(scan, ShardKind::azimuth, 8), {options, L3Options{}});
  EXPECT_EQ(result.solve.termination, Termination::diverged);
  for (const Eigen::Vector4d& w : result.w) EXPECT_TRUE(w.allFinite());
}

}  // namespace
}  // namespace roadplane
