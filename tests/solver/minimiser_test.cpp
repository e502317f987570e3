// How far agents are from the minimiser, as those see it who look at all points at once.

#include <gtest/gtest.h>

#include "pca_problem.hpp"
#include "roadplane/objective/l3_loss.hpp"
#include "roadplane/solver/registry.hpp"

namespace roadplane {
namespace {

using test::PcaProblem;
constexpr int kEvery = Eigen::Dynamic;

class DistanceToTheMinimiser : public testing::Test {
 protected:
  static constexpr int kAgents = 8;

  Network network_{Graph::ring(kAgents)};
  LocalChannel channel_{network_};
  PcaProblem problem_{kAgents};
};

TEST_F(DistanceToTheMinimiser, IsThatOfTheWorstAgentWhateverTheBasis) {
  Observer<kEvery, kEvery> observer(channel_, problem_.objectives, PcaProblem::kP);
  std::vector<Eigen::MatrixXd> x(kAgents, problem_.principal);
  for (Eigen::MatrixXd& own : x) own.col(0).swap(own.col(2));
  const auto minimiser = observer.minimiser(x);
  ASSERT_TRUE(minimiser);
  EXPECT_LT(observer.distance(x, *minimiser), 1e-9);
  x[5].col(1) *= 1.25;  // a column of length 1
  EXPECT_NEAR(observer.distance(x, *minimiser), 0.25, 1e-9);
}

TEST_F(DistanceToTheMinimiser, FallsOverTheTraceToNothingWhereTheMethodIsExact) {
  DestinyOptions options;
  options.stop.max_iterations = 2000;
  options.trace.growth = 1.3;
  options.trace.end = true;
  options.trace.minimiser = true;
  const auto result = solve<Destiny>(channel_, problem_.objectives, problem_.start, options);
  ASSERT_GT(result.trace.size(), 10U);
  ASSERT_TRUE(result.trace.front().distance && result.trace.back().distance);
  EXPECT_GT(*result.trace.front().distance, 0.5);  // of the start
  EXPECT_LT(*result.trace.back().distance, 1e-8);
}

TEST_F(DistanceToTheMinimiser, OfAMethodThatHardlyMovedIsThatOfItsStart) {
  DrsgdOptions options;
  options.step = 1e-9;
  options.stop.max_iterations = 50;
  options.trace.end = true;
  options.trace.minimiser = true;
  const auto result = solve<Drsgd>(channel_, problem_.objectives, problem_.start, options);
  EXPECT_GT(result.trace.back().distance.value(), 0.5);
}

TEST_F(DistanceToTheMinimiser, IsUnknownWhereTheObjectiveHasNoBowl) {
  std::vector<std::unique_ptr<Objective<kEvery, kEvery>>> objectives;
  for (int i = 0; i < kAgents; ++i) {
    objectives.push_back(std::make_unique<DenseObjective<L3Loss>>(test::random_matrix(20, 50, i)));
  }
  DestinyOptions options;
  options.step = 0.01;
  options.stop.max_iterations = 10;
  options.trace.end = true;
  options.trace.minimiser = true;
  const auto result = solve<Destiny>(channel_, objectives, problem_.start, options);
  EXPECT_FALSE(result.trace.back().distance);
}

}  // namespace
}  // namespace roadplane
