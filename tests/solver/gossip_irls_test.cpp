#include "roadplane/solver/rivals/gossip_irls.hpp"

#include <gtest/gtest.h>

#include "pca_problem.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/objective/dense_objective.hpp"
#include "support/input_error.hpp"
#include "support/random_data.hpp"

namespace roadplane {
namespace {

constexpr int kDynamic = Eigen::Dynamic;
using Parts = std::vector<std::unique_ptr<Objective<kDynamic, kDynamic>>>;

/// Cauchy's, weight 1 / (1 + y^2 / s^2).
struct Cauchy {
  double squared_scale = 1e-4;
  double value(double y) const { return squared_scale / 2 * std::log1p(y * y / squared_scale); }
  double slope(double y) const { return y / (1 + y * y / squared_scale); }
};

const Eigen::VectorXd kNormal = Eigen::VectorXd::Unit(5, 2);

/// Half the columns near a hyperplane, half anywhere; shards of different lengths in space.
Eigen::MatrixXd shard(int agent) {
  Eigen::MatrixXd columns = test::random_matrix(5, 200, 10 + agent);
  for (Eigen::Index j = 0; j < columns.cols(); j += 2) columns(2, j) *= 0.002;
  columns.row(agent % 2 == 0 ? 0 : 4) *= 3;
  return columns;
}

TEST(GossipIrls, AnIterationIsTheLeastDirectionOfTheMeanMoment) {
  const Network network(Graph::path(4));
  LocalChannel channel(network);
  Parts objectives;
  for (int i = 0; i < 4; ++i) {
    objectives.push_back(std::make_unique<DenseObjective<Cauchy>>(shard(i)));
  }
  Eigen::MatrixXd x = Eigen::MatrixXd::Constant(5, 1, 0.05);
  x(2) = 1;
  x.normalize();
  GossipIrlsOptions options;
  options.tolerance = 1e-6;
  GossipIrls<kDynamic, kDynamic> method(channel, objectives, std::vector(4, x), options);
  for (int k = 1; k <= 6; ++k) {
    Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(5, 5);
    Eigen::MatrixXd moment;
    for (const auto& objective : objectives) {
      ASSERT_TRUE(objective->weighted_moment(x, moment));
      mean += moment / 4;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(mean);
    const Eigen::MatrixXd next = eigen.eigenvectors().leftCols(1);
    x = next.col(0).dot(x.col(0)) < 0 ? Eigen::MatrixXd(-next) : next;
    method.iterate(k);
    for (const auto& iterate : method.iterates()) {
      ASSERT_NEAR((iterate - x).norm(), 0, 1e-4) << k;  // single precision on the wire
    }
    x = method.iterates()[0];
  }
  EXPECT_LT(std::sqrt(1 - std::pow(x.col(0).dot(kNormal), 2)), 1e-3);
}

TEST(GossipIrls, FindsTheLeadingSubspaceAtOnceAndStops) {
  const test::PcaProblem problem(8);
  const Network network(Graph::ring(8));
  LocalChannel channel(network);
  GossipIrlsOptions options;
  options.tolerance = 1e-6;
  options.stop.residual_tolerance = 1e-4;
  const auto result = solve<GossipIrls>(channel, problem.objectives, problem.start, options);
  EXPECT_EQ(result.termination, Termination::converged);
  EXPECT_LE(result.iterations, 4);
  for (const auto& x : result.x) EXPECT_LT(subspace_error(x, problem.principal), 1e-4);
}

TEST(GossipIrls, AnObjectiveWithoutMomentsIsRefused) {
  class Bare final : public Objective<kDynamic, kDynamic> {
   public:
    int n() const override { return 5; }
    std::uint32_t samples() const override { return 1; }
    double value(const Matrix&) const override { return 0; }
    void gradient(const Matrix&, Matrix& result) const override { result.setZero(); }
    void batch_gradient(const Matrix&, Batch, Matrix& result) const override { result.setZero(); }
  };
  Parts objectives;
  objectives.push_back(std::make_unique<Bare>());
  const Network network(Graph::path(1));
  LocalChannel channel(network);
  const std::vector<Eigen::MatrixXd> start(1, Eigen::MatrixXd::Identity(5, 1));
  EXPECT_NE(test::input_error_of([&] {
              GossipIrls<kDynamic, kDynamic> method(channel, objectives, start, {});
            }).find("gossip-irls"),
            std::string::npos);
}

TEST(GossipIrls, BadOptionsAreNamed) {
  GossipIrlsOptions options;
  options.tolerance = 0;
  EXPECT_NE(test::input_error_of([&] { options.validate(); }).find("tolerance"), std::string::npos);
}

}  // namespace
}  // namespace roadplane
