// Decentralised PCA: the exact methods reach the subspace of Eigen's solver on every network, and
// DRSGD with a constant step does not.

#include <gtest/gtest.h>

#include "pca_problem.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/solver/registry.hpp"

namespace roadplane {
namespace {

using test::PcaProblem;
using Result = SolveResult<Eigen::Dynamic, Eigen::Dynamic>;

class Pca : public testing::TestWithParam<const char*> {
 protected:
  Network network_{std::string(GetParam()) == "ring"   ? Graph::ring(8)
                   : std::string(GetParam()) == "star" ? Graph::star(8)
                                                       : Graph::erdos_renyi(8, 0.5, 1)};
  LocalChannel channel_{network_};
  PcaProblem problem_{8};

  void expect_exact(const Result& result) const {
    EXPECT_EQ(result.termination, Termination::converged);
    EXPECT_LE(result.trace.back().gap.total(), 1e-18);
    for (const auto& x : result.x) EXPECT_LT(subspace_error(x, problem_.principal), 1e-8);
  }
};

template <class Options>
Options until_exact() {
  Options options;
  options.step = 0.1;
  options.stop.max_iterations = 20'000;
  options.stop.stationarity_tolerance = 1e-18;
  return options;
}

TEST_P(Pca, VrsgtIsExact) {
  auto options = until_exact<VrsgtOptions>();
  options.batch = 10;
  expect_exact(solve<Vrsgt>(channel_, problem_.objectives, problem_.start, options));
}

TEST_P(Pca, DestinyIsExact) {
  expect_exact(
      solve<Destiny>(channel_, problem_.objectives, problem_.start, until_exact<DestinyOptions>()));
}

TEST_P(Pca, DrgtaIsExact) {
  expect_exact(
      solve<Drgta>(channel_, problem_.objectives, problem_.start, until_exact<DrgtaOptions>()));
}

TEST_P(Pca, DprgtIsExact) {
  expect_exact(
      solve<Dprgt>(channel_, problem_.objectives, problem_.start, until_exact<DprgtOptions>()));
}

TEST_P(Pca, RextraIsExactAndSendsHalfAsMuchAnIteration) {
  const Result result =
      solve<Rextra>(channel_, problem_.objectives, problem_.start, until_exact<RextraOptions>());
  expect_exact(result);
  const std::int64_t matrix = 8 * PcaProblem::kN * PcaProblem::kP;
  EXPECT_LT(result.traffic.bytes_per_link, result.iterations * (matrix + 100));
}

TEST_P(Pca, VrsgtIsExactWithSeveralGossipRoundsToo) {
  for (const bool chebyshev : {false, true}) {
    auto options = until_exact<VrsgtOptions>();
    options.gossip = {3, chebyshev};
    expect_exact(solve<Vrsgt>(channel_, problem_.objectives, problem_.start, options));
  }
}

TEST_P(Pca, TheResidualThatAgentsAgreeOnStopsAtASolutionToo) {
  auto options = until_exact<VrsgtOptions>();
  options.stop.stationarity_tolerance = 0;
  options.stop.residual_tolerance = 1e-9;
  const Result result = solve<Vrsgt>(channel_, problem_.objectives, problem_.start, options);
  EXPECT_EQ(result.termination, Termination::converged);
  EXPECT_TRUE(result.trace.empty());  // nothing was observed
  for (const auto& x : result.x) EXPECT_LT(subspace_error(x, problem_.principal), 1e-7);
}

TEST_P(Pca, DrsgdWithAConstantStepStalls) {
  DrsgdOptions options;
  options.step = 0.02;
  options.batch = 10;
  options.stop.max_iterations = 20'000;
  options.stop.stationarity_tolerance = 1e-18;
  const Result result = solve<Drsgd>(channel_, problem_.objectives, problem_.start, options);
  EXPECT_EQ(result.termination, Termination::iteration_limit);
  const double stalled = result.trace.back().gap.total();
  EXPECT_GT(stalled, 1e-9);  // step-size noise, nine orders above the exact methods
  EXPECT_LT(stalled, 1e-2);  // near the solution all the same
  EXPECT_GT(result.trace[result.trace.size() / 2].gap.total(), 1e-9);
}

TEST_P(Pca, DrsgdComesCloserWithADiminishingStep) {
  DrsgdOptions options;
  options.step = 0.05;
  options.batch = 10;
  options.stop.max_iterations = 20'000;
  options.trace.checks = true;
  const double constant =
      solve<Drsgd>(channel_, problem_.objectives, problem_.start, options).trace.back().gap.total();
  options.schedule = StepSchedule::inverse_sqrt;
  const double diminishing =
      solve<Drsgd>(channel_, problem_.objectives, problem_.start, options).trace.back().gap.total();
  EXPECT_LT(diminishing, constant / 10);
}

INSTANTIATE_TEST_SUITE_P(Networks, Pca, testing::Values("erdos_renyi", "ring", "star"),
                         [](const auto& network) { return std::string(network.param); });

}  // namespace
}  // namespace roadplane
