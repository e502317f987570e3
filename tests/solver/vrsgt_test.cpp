#include "roadplane/solver/vrsgt.hpp"

#include <gtest/gtest.h>

#include "pca_problem.hpp"
#include "roadplane/objective/cloud_objective.hpp"
#include "roadplane/objective/l3_loss.hpp"
#include "roadplane/solver/rivals/destiny.hpp"
#include "roadplane/solver/rivals/drgta.hpp"
#include "roadplane/solver/rivals/drsgd.hpp"
#include "support/input_error.hpp"

namespace roadplane {
namespace {

using test::mean;
using test::PcaProblem;

TEST(Vrsgt, TheTrackersMeanIsTheEstimatesMeanAtEveryIteration) {
  for (const bool chebyshev : {false, true}) {
    const Network network(Graph::ring(8));
    LocalChannel channel(network);
    const PcaProblem problem(8);
    VrsgtOptions options;
    options.gossip = {chebyshev ? 3 : 1, chebyshev};
    Vrsgt<Eigen::Dynamic, Eigen::Dynamic> method(channel, problem.objectives,
                                                 std::vector(8, problem.start), options);
    for (int k = 1; k <= 200; ++k) {
      method.iterate(k);
      ASSERT_LT((mean(method.trackers()) - mean(method.estimates())).norm(), 1e-12) << k;
    }
  }
}

/// One outer and one inner iteration written out with dense matrices, straight from Algorithm 1.
TEST(Vrsgt, TheFirstIterationsAreAlgorithm1) {
  const int d = 4;
  const Network network(Graph::path(d));
  LocalChannel channel(network);
  const PcaProblem problem(d, 30);
  VrsgtOptions options;
  options.step = 0.2;
  options.batch = 5;
  options.inner_iterations = 3;
  Vrsgt<Eigen::Dynamic, Eigen::Dynamic> method(channel, problem.objectives,
                                               std::vector(d, problem.start), options);

  const Eigen::MatrixXd w = network.mixing.dense();
  const auto direction = [&](const Eigen::MatrixXd& x, const Eigen::MatrixXd& g) {
    const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(x.cols(), x.cols());
    const Eigen::MatrixXd xg = x.transpose() * g;
    return Eigen::MatrixXd(g * (1.5 * identity - 0.5 * x.transpose() * x) -
                           x * (xg + xg.transpose()) / 2 + x * (x.transpose() * x - identity));
  };
  const auto full = [&](int i, const Eigen::MatrixXd& x) {
    Eigen::MatrixXd g = x;
    problem.objectives[i]->gradient(x, g);
    return direction(x, g);
  };
  const auto mix = [&](const std::vector<Eigen::MatrixXd>& values, int i) {
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(values[0].rows(), values[0].cols());
    for (int j = 0; j < d; ++j) sum += w(i, j) * values[j];
    return sum;
  };

  std::vector<Eigen::MatrixXd> x(d, problem.start);
  std::vector<Eigen::MatrixXd> s(d);
  for (int i = 0; i < d; ++i) s[i] = full(i, x[i]);
  std::vector<Eigen::MatrixXd> tracker = s;
  for (int k = 1; k <= 6; ++k) {  // outer, three inner, outer, inner
    std::vector<Eigen::MatrixXd> moved(d);
    for (int i = 0; i < d; ++i) moved[i] = x[i] - options.step * tracker[i];
    const auto x_before = x;
    const auto s_before = s;
    const auto tracker_before = tracker;
    for (int i = 0; i < d; ++i) {
      x[i] = mix(moved, i);
      if (k % 4 == 1) {
        s[i] = full(i, x[i]);
      } else {
        CounterRandom random(options.seed, RandomUse::batch, i, k);
        for (int t = 0; t < options.batch; ++t) {
          const std::uint32_t j = random.below(30);
          Eigen::MatrixXd g = x[i];
          problem.objectives[i]->batch_gradient(x[i], std::span(&j, 1), g);
          s[i] += direction(x[i], g) / options.batch;
          problem.objectives[i]->batch_gradient(x_before[i], std::span(&j, 1), g);
          s[i] -= direction(x_before[i], g) / options.batch;
        }
      }
      tracker[i] = mix(tracker_before, i) + s[i] - s_before[i];
    }
    method.iterate(k);
    for (int i = 0; i < d; ++i) {
      ASSERT_NEAR((method.iterates()[i] - x[i]).norm(), 0, 1e-13) << "iteration " << k;
      ASSERT_NEAR((method.trackers()[i] - tracker[i]).norm(), 0, 1e-13) << "iteration " << k;
    }
  }
}

TEST(Vrsgt, SameSeedSameBits) {
  const Network network(Graph::ring(8));
  const PcaProblem problem(8);
  VrsgtOptions options;
  options.stop.max_iterations = 100;
  LocalChannel a(network);
  LocalChannel b(network);
  const auto first = solve<Vrsgt>(a, problem.objectives, problem.start, options);
  const auto second = solve<Vrsgt>(b, problem.objectives, problem.start, options);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(first.x[i], second.x[i]);
  options.seed = 2;
  LocalChannel c(network);
  EXPECT_NE(solve<Vrsgt>(c, problem.objectives, problem.start, options).x[0], first.x[0]);
}

template <template <int, int> class Solver>
void expect_oversized_step_diverges() {
  const Network network(Graph::erdos_renyi(8, 0.5, 1));
  LocalChannel channel(network);
  const PcaProblem problem(8);
  typename Solver<Eigen::Dynamic, Eigen::Dynamic>::Options options;
  options.step = 10;
  options.trace.checks = true;
  const auto result = solve<Solver>(channel, problem.objectives, problem.start, options);
  EXPECT_EQ(result.termination, Termination::diverged);
  EXPECT_LT(result.iterations, 200);
  for (const auto& x : result.x) EXPECT_TRUE(x.allFinite());
  for (const auto& entry : result.trace) EXPECT_TRUE(std::isfinite(entry.gap.total()));
}

TEST(Vrsgt, AnOversizedStepIsReportedAsDiverged) {
  expect_oversized_step_diverges<Vrsgt>();
  expect_oversized_step_diverges<Destiny>();
}

TEST(Vrsgt, DivergenceGivesTheLastGoodIterate) {
  const Network network(Graph::complete(4));
  LocalChannel channel(network);
  const PcaProblem problem(4);
  VrsgtOptions options;
  options.step = 10;
  const auto result = solve<Vrsgt>(channel, problem.objectives, problem.start, options);
  ASSERT_EQ(result.termination, Termination::diverged);
  EXPECT_EQ(result.x[0], problem.start);  // no stage was good
}

TEST(Vrsgt, AnIterateOutsideTheSafeRegionIsNotGoodHoweverFiniteItIs) {
  const Network network(Graph::complete(4));
  const PcaProblem problem(4);
  VrsgtOptions options;
  options.stop.max_iterations = 100;
  for (const double radius : {0.9, 1e-9}) {
    LocalChannel channel(network);
    options.stop.safe_radius = radius;
    const auto result = solve<Vrsgt>(channel, problem.objectives, problem.start, options);
    EXPECT_EQ(result.termination == Termination::diverged, radius < 0.9);
    EXPECT_EQ(result.x[0] == problem.start, radius < 0.9);
  }
}

TEST(Destiny, ASolveEndsAtItsToleranceAndNotBefore) {
  const Network network(Graph::complete(4));
  const PcaProblem problem(4);
  DestinyOptions options;
  const auto solved = [&](std::int64_t iterations, double tolerance) {
    LocalChannel channel(network);
    options.stop.max_iterations = iterations;
    options.stop.residual_tolerance = tolerance;
    return solve<Destiny>(channel, problem.objectives, problem.start, options);
  };
  constexpr std::int64_t kAt = 160;  // where the agents check
  const double there = solved(kAt, 0).residual;
  const auto longer = solved(10 * kAt, 0.75 * there);
  EXPECT_EQ(longer.termination, Termination::converged);
  EXPECT_GT(longer.iterations, kAt);
  EXPECT_LE(longer.residual, 0.75 * there);
  EXPECT_EQ(solved(10 * kAt, 1.01 * there).iterations, kAt);
}

TEST(Vrsgt, BudgetsEndASolve) {
  const Network network(Graph::ring(4));
  const PcaProblem problem(4);
  VrsgtOptions options;
  options.inner_iterations = 9;
  options.batch = 10;
  {
    LocalChannel channel(network);
    options.stop = {};
    options.stop.max_rounds = 100;
    const auto result = solve<Vrsgt>(channel, problem.objectives, problem.start, options);
    EXPECT_EQ(result.termination, Termination::round_limit);
    EXPECT_LE(result.traffic.rounds, 100);
    EXPECT_GT(result.traffic.rounds, 100 - 2 - 2);  // an iteration and a check less
  }
  {
    LocalChannel channel(network);
    options.stop = {};
    options.stop.max_samples = 1000;
    const auto result = solve<Vrsgt>(channel, problem.objectives, problem.start, options);
    EXPECT_EQ(result.termination, Termination::sample_limit);
    // The start and every tenth iteration take all 100 samples, the others 10 at two points.
    EXPECT_EQ(result.samples, 100 + 3 * (100 + 9 * 20));  // one more would be 1040
  }
  {
    LocalChannel channel(network);
    options.stop = {};
    options.stop.max_iterations = 7;
    const auto result = solve<Vrsgt>(channel, problem.objectives, problem.start, options);
    EXPECT_EQ(result.termination, Termination::iteration_limit);
    EXPECT_EQ(result.iterations, 7);
    // 7 messages of X and D (60 doubles each), floods of 8 bytes over the diameter: of the largest
    // shard at the start, and at the end.
    EXPECT_EQ(result.traffic.rounds, 7 * 2 + 2 * 2);
    EXPECT_EQ(result.traffic.bytes_per_link, 7 * 2 * 60 * 8 + 2 * 2 * 8);
  }
}

TEST(Vrsgt, TheTraceForgetsABranchThatWasGivenUp) {
  const Network network(Graph::complete(4));
  LocalChannel channel(network);
  const PcaProblem problem(4);
  VrsgtOptions options;
  options.step = 2.5;
  options.stop.max_iterations = 300;
  options.stop.max_step_halvings = 6;
  options.trace.every = 1;
  const auto result = solve<Vrsgt>(channel, problem.objectives, problem.start, options);
  ASSERT_GT(result.step_halvings, 0);
  ASSERT_EQ(result.termination, Termination::iteration_limit);
  ASSERT_EQ(result.trace.size(), 301U);
  for (std::size_t k = 0; k < result.trace.size(); ++k) {
    EXPECT_EQ(result.trace[k].iteration, static_cast<std::int64_t>(k));
  }
}

TEST(Vrsgt, TheTraceIsTakenWhenAskedFor) {
  const Network network(Graph::ring(4));
  const PcaProblem problem(4);
  VrsgtOptions options;
  options.inner_iterations = 19;
  options.stop.max_iterations = 100;
  LocalChannel channel(network);
  EXPECT_TRUE(solve<Vrsgt>(channel, problem.objectives, problem.start, options).trace.empty());
  options.trace.checks = true;
  const auto checks = solve<Vrsgt>(channel, problem.objectives, problem.start, options);
  ASSERT_EQ(checks.trace.size(), 14U);  // the start, every 16 rounds, the end
  EXPECT_EQ(checks.trace[1].iteration, 8);
  options.trace = {false, 7};
  const auto periodic = solve<Vrsgt>(channel, problem.objectives, problem.start, options);
  EXPECT_EQ(periodic.trace[2].iteration, 14);
  EXPECT_EQ(periodic.trace.back().iteration, 100);
  for (std::size_t k = 1; k < periodic.trace.size(); ++k) {
    EXPECT_GE(periodic.trace[k].seconds, periodic.trace[k - 1].seconds);
    EXPECT_GT(periodic.trace[k].samples, periodic.trace[k - 1].samples);
    EXPECT_GT(periodic.trace[k].traffic.rounds, periodic.trace[k - 1].traffic.rounds);
  }
  for (int i = 0; i < 4; ++i) EXPECT_EQ(checks.x[i], periodic.x[i]);  // looking changes nothing
}

TEST(Vrsgt, AGrowingTraceHasAFewEntriesOfALongSolve) {
  const Network network(Graph::ring(4));
  LocalChannel channel(network);
  const PcaProblem problem(4);
  VrsgtOptions options;
  options.stop.max_iterations = 1000;
  options.trace.growth = 2;
  options.trace.mean = true;
  const auto trace = solve<Vrsgt>(channel, problem.objectives, problem.start, options).trace;
  const std::int64_t expected[] = {0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000};
  ASSERT_EQ(trace.size(), std::size(expected));
  for (std::size_t k = 0; k < trace.size(); ++k) {
    EXPECT_EQ(trace[k].iteration, expected[k]);
    EXPECT_EQ(trace[k].mean.rows(), PcaProblem::kN);
  }
  EXPECT_EQ(trace[0].mean, problem.start);
}

TEST(Vrsgt, ATimeLimitEndsASolve) {
  const Network network(Graph::ring(4));
  LocalChannel channel(network);
  const PcaProblem problem(4);
  VrsgtOptions options;
  options.stop.max_iterations = 1'000'000'000;
  options.stop.max_seconds = 0.05;
  const auto result = solve<Vrsgt>(channel, problem.objectives, problem.start, options);
  EXPECT_EQ(result.termination, Termination::time_limit);
  EXPECT_GE(result.seconds, 0.025);  // a hitch of the machine makes the solve careful
}

TEST(Vrsgt, CompileTimeSizesGiveTheSameAsDynamicOnes) {
  const Network network(Graph::ring(4));
  std::vector<HomogeneousCloud> clouds(4);
  std::vector<std::unique_ptr<Objective<4, 1>>> fixed;
  std::vector<std::unique_ptr<Objective<Eigen::Dynamic, Eigen::Dynamic>>> dynamic;
  for (int i = 0; i < 4; ++i) {
    clouds[i].assign(test::random_scan(64, 20 + i));
    fixed.push_back(std::make_unique<CloudObjective<L3Loss, 1>>(clouds[i]));
    Eigen::MatrixXd columns(4, 64);
    for (int j = 0; j < 64; ++j) columns.col(j) = clouds[i].column(j);
    dynamic.push_back(std::make_unique<DenseObjective<L3Loss>>(columns));
  }
  VrsgtOptions options;
  options.stop.max_iterations = 60;
  LocalChannel a(network);
  LocalChannel b(network);
  const Eigen::Vector4d start = Eigen::Vector4d::UnitX();
  const auto one = solve<Vrsgt>(a, fixed, start, options);
  const auto other = solve<Vrsgt>(b, dynamic, Eigen::MatrixXd(start), options);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR((one.x[i] - other.x[i]).norm(), 0, 1e-10);
}

TEST(SolverOptions, BadFieldsAreNamed) {
  const auto message = [](const auto& spoil) {
    VrsgtOptions options;
    spoil(options);
    return test::input_error_of([&] { options.validate(); });
  };
  EXPECT_NO_THROW(VrsgtOptions().validate());
  EXPECT_EQ(message([](auto& o) { o.step = -1; }), "step: expected a number above 0, found -1");
  EXPECT_NE(message([](auto& o) { o.step = NAN; }), "");
  EXPECT_NE(message([](auto& o) { o.penalty = -1; }), "");
  EXPECT_NE(message([](auto& o) { o.gossip.rounds = 0; }), "");
  EXPECT_NE(message([](auto& o) { o.stop.max_iterations = 0; }), "");
  EXPECT_NE(message([](auto& o) { o.stop.max_rounds = -1; }), "");
  EXPECT_NE(message([](auto& o) { o.inner_iterations = -2; }), "");
  EXPECT_NE(message([](auto& o) { o.stop.max_seconds = -1; }), "");
  EXPECT_NE(message([](auto& o) { o.trace.growth = 1; }), "");
  EXPECT_EQ(message([](auto& o) { o.batch = 0; }), "batch: expected at least 1 sample, found 0");
}

}  // namespace
}  // namespace roadplane
