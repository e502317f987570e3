// Agents that sleep, and one that leaves half-way without a word: the others go on to the exact
// solution of what they hold.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "pca_problem.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/solver/registry.hpp"

namespace roadplane {
namespace {

using test::PcaProblem;
constexpr int kAgentCount = 8;
constexpr int kLeaver = 5;

/// The leading subspace of all shards but one; of all for -1.
Eigen::MatrixXd principal_without(const PcaProblem& problem, int leaver) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(PcaProblem::kN, PcaProblem::kN);
  Eigen::MatrixXd moment;
  for (int i = 0; i < kAgentCount; ++i) {
    if (i == leaver) continue;
    problem.objectives[i]->weighted_moment(problem.start, moment);
    sum -= moment;  // PCA maximises
  }
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(sum).eigenvectors().rightCols(
      PcaProblem::kP);
}

constexpr double kRest = 1e-9;

template <class Options>
auto solve_on(const Network& network, const PcaProblem& problem) {
  LocalChannel channel(network);
  Options options;
  options.step = 0.05;
  options.stop.max_iterations = 8000;
  options.stop.residual_tolerance = kRest;
  options.trace.end = true;
  typename Options::template Method<Eigen::Dynamic, Eigen::Dynamic> method(
      channel, problem.objectives, std::vector(kAgentCount, problem.start), options);
  Ledger ledger(channel);
  return run(method, options, ledger);
}

template <class Options>
class ExactSolvers : public testing::Test {};
using Exact =
    testing::Types<VrsgtOptions, DestinyOptions, DrgtaOptions, DprgtOptions, RextraOptions>;
TYPED_TEST_SUITE(ExactSolvers, Exact);

TYPED_TEST(ExactSolvers, AreExactWhileAgentsSleep) {
  const PcaProblem problem(kAgentCount);
  const Network network(Graph::erdos_renyi(kAgentCount, 0.5, 1), MixingKind::metropolis,
                        {.outage = 2, .sleep = 0.3});
  const auto result = solve_on<TypeParam>(network, problem);
  EXPECT_EQ(result.termination, Termination::converged);
  for (const auto& x : result.x) EXPECT_LT(subspace_error(x, problem.principal), 1e3 * kRest);
}

TYPED_TEST(ExactSolvers, GoOnToWhatIsLeftWhenOneLeaves) {
  const PcaProblem problem(kAgentCount);
  const Eigen::MatrixXd expected = principal_without(problem, kLeaver);
  ASSERT_GT(subspace_error(problem.principal, expected), 1e-3);  // it makes a difference
  for (const Graph& graph : {Graph::ring(kAgentCount), Graph::erdos_renyi(kAgentCount, 0.5, 1)}) {
    const Network network(graph, MixingKind::metropolis, {.leaver = kLeaver, .leaves_after = 150});
    const auto result = solve_on<TypeParam>(network, problem);
    EXPECT_EQ(result.termination, Termination::converged);
    for (int i = 0; i < kAgentCount; ++i) {
      if (i == kLeaver) continue;
      EXPECT_LT(subspace_error(result.x[i], expected), 1e3 * kRest) << i;
    }
    EXPECT_GT(subspace_error(result.x[kLeaver], expected), 1e-3);
    EXPECT_LT(std::sqrt(result.trace.back().gap.total()),
              100 * kRest);  // of those who are left
  }
}

}  // namespace
}  // namespace roadplane
