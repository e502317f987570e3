#include "roadplane/solver/rivals/gossip_newton.hpp"

#include <gtest/gtest.h>

#include "newton_step.hpp"
#include "pca_problem.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/objective/dense_objective.hpp"
#include "roadplane/solver/rivals/destiny.hpp"
#include "support/input_error.hpp"
#include "support/random_data.hpp"

namespace roadplane {
namespace {

using Eigen::MatrixXd;
using Dense = Objective<Eigen::Dynamic, Eigen::Dynamic>;

/// Tukey's biweight at scale 0.5.
struct Biweight {
  static constexpr double kScale = 0.5;
  static double within(double y) { return std::max(0.0, 1 - y * y / (kScale * kScale)); }
  double value(double y) const { return (1 - std::pow(within(y), 3)) * kScale * kScale / 6; }
  double slope(double y) const { return within(y) * within(y) * y; }
  double curvature(double y) const {
    return within(y) * (within(y) - 4 * y * y / (kScale * kScale));
  }
};

/// Agents whose columns, half of them near a hyperplane, differ in where they lie along it.
class OnABiweight : public testing::Test {
 protected:
  OnABiweight() {
    for (int i = 0; i < kAgents; ++i) {
      MatrixXd columns = test::random_matrix(5, 200, 10 + i);
      for (Eigen::Index j = 0; j < columns.cols(); j += 2) columns(2, j) *= 0.05;
      columns.row(i % 2 == 0 ? 0 : 4) *= 1.5;
      objectives_.push_back(std::make_unique<DenseObjective<Biweight>>(columns));
    }
    start_ = MatrixXd::Constant(5, 1, 0.04);
    start_(2) = 1;
    start_.normalize();
  }

  static constexpr int kAgents = 4;
  std::vector<std::unique_ptr<Dense>> objectives_;
  MatrixXd start_;
  Network network_{Graph::path(kAgents)};
  LocalChannel channel_{network_};
};

TEST_F(OnABiweight, GossipNewtonFindsTheMinimiserOfTheOthersInAFewIterations) {
  DestinyOptions exact;
  exact.step = 0.5;
  exact.stop.max_iterations = 5000;
  exact.stop.residual_tolerance = 1e-11;
  const auto expected = solve<Destiny>(channel_, objectives_, start_, exact);
  ASSERT_EQ(expected.termination, Termination::converged);
  const MatrixXd minimiser = expected.x[0].normalized();
  ASSERT_GT((start_ - minimiser).norm(), 0.05);
  GossipNewtonOptions options;
  options.tolerance = 1e-7;
  options.stop.max_iterations = 8;
  const auto result = solve<GossipNewton>(channel_, objectives_, start_, options);
  for (const MatrixXd& x : result.x) EXPECT_LT((x - minimiser).norm(), 1e-6);
}

/// Where the loss bends down, a step is no longer than five of reweighted least squares.
TEST_F(OnABiweight, AStepOfNewtonsGoesDownAndNotTooFar) {
  for (const double tilt : {0.01, 0.1, 0.3, 1.0}) {
    MatrixXd x = MatrixXd::Zero(5, 1);
    x(2) = std::cos(tilt);
    x(1) = std::sin(tilt);
    Bowl bowl;
    MatrixXd slope = x;
    objectives_[0]->bowl(x, bowl);
    objectives_[0]->gradient(x, slope);
    const MatrixXd step = newton_step<Eigen::Dynamic, Eigen::Dynamic>(x, bowl, slope);
    EXPECT_LT((x.transpose() * step).norm(), 1e-12) << tilt;
    EXPECT_LT((step.transpose() * slope)(0), 0) << tilt;
    EXPECT_LE(step.norm(), 0.5 + 1e-12) << tilt;
  }
}

TEST(NewtonStep, LeadsToThePrincipalSubspaceAtOnceFromNearby) {
  const test::PcaProblem problem(1);
  MatrixXd x = problem.principal + 1e-3 * test::random_matrix(20, 3, 4);
  Stiefel<Eigen::Dynamic, Eigen::Dynamic> stiefel(20, 3);
  stiefel.retract(x);
  Bowl bowl;
  MatrixXd slope = x;
  problem.objectives[0]->bowl(x, bowl);
  problem.objectives[0]->gradient(x, slope);
  const double before = subspace_error(x, problem.principal);
  x += newton_step<Eigen::Dynamic, Eigen::Dynamic>(x, bowl, slope);
  stiefel.retract(x);
  EXPECT_LT(subspace_error(x, problem.principal), 10 * before * before);
}

TEST(GossipNewton, AnObjectiveWithoutCurvatureIsRefused) {
  /// A loss that knows its slope only.
  struct Huber {
    double value(double y) const { return std::abs(y) < 1 ? y * y / 2 : std::abs(y) - 0.5; }
    double slope(double y) const { return std::clamp(y, -1.0, 1.0); }
  };
  std::vector<std::unique_ptr<Dense>> objectives;
  objectives.push_back(std::make_unique<DenseObjective<Huber>>(test::random_matrix(5, 20, 1)));
  const Network network(Graph::path(1));
  LocalChannel channel(network);
  const std::vector<MatrixXd> start(1, MatrixXd::Identity(5, 1));
  EXPECT_NE(test::input_error_of([&] {
              GossipNewton<Eigen::Dynamic, Eigen::Dynamic> method(channel, objectives, start, {});
            }).find("gossip-newton"),
            std::string::npos);
}

TEST(GossipNewton, BadOptionsAreNamed) {
  GossipNewtonOptions options;
  options.tolerance = 1;
  EXPECT_NE(test::input_error_of([&] { options.validate(); }).find("tolerance"), std::string::npos);
}

}  // namespace
}  // namespace roadplane
