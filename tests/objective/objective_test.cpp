#include "roadplane/objective/objective.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "roadplane/objective/cloud_objective.hpp"
#include "roadplane/objective/dense_objective.hpp"
#include "roadplane/objective/l3_loss.hpp"
#include "roadplane/objective/norm_objective.hpp"
#include "roadplane/objective/pca_objective.hpp"
#include "roadplane/objective/scaled_loss.hpp"
#include "roadplane/objective/weighted_objective.hpp"
#include "support/pca_loss.hpp"
#include "support/random_data.hpp"

namespace roadplane {
namespace {

/// Central differences of `objective` at x, entry by entry.
template <int N, int P>
void expect_gradient_matches(const Objective<N, P>& objective, int p) {
  using Matrix = typename Objective<N, P>::Matrix;
  Matrix x = test::random_matrix(objective.n(), p, 5);
  Matrix gradient(objective.n(), p);
  objective.gradient(x, gradient);
  constexpr double kStep = 1e-5;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    Matrix plus = x;
    Matrix minus = x;
    plus(k) += kStep;
    minus(k) -= kStep;
    const double slope = (objective.value(plus) - objective.value(minus)) / (2 * kStep);
    EXPECT_NEAR(gradient(k), slope, 1e-7 * (1 + std::abs(slope)));
  }
}

/// The batch of all samples is the full gradient; a repeated sample counts as often as it is named.
template <int N, int P>
void expect_batches_match(const Objective<N, P>& objective, int p) {
  using Matrix = typename Objective<N, P>::Matrix;
  const Matrix x = test::random_matrix(objective.n(), p, 6);
  const Matrix y = test::random_matrix(objective.n(), p, 7);
  Matrix full(objective.n(), p);
  Matrix batch(objective.n(), p);
  Matrix other(objective.n(), p);
  std::vector<std::uint32_t> all(objective.samples());
  for (std::uint32_t j = 0; j < objective.samples(); ++j) all[j] = j;
  objective.gradient(x, full);
  objective.batch_gradient(x, all, batch);
  EXPECT_NEAR((full - batch).norm(), 0, 1e-13 * (1 + full.norm()));

  const std::vector<std::uint32_t> repeated{3, 3, 1};
  Matrix expected = Matrix::Zero(objective.n(), p);
  for (const std::uint32_t j : repeated) {
    objective.batch_gradient(x, std::span(&j, 1), batch);
    expected += batch / 3;
  }
  objective.batch_gradient(x, repeated, batch);
  EXPECT_NEAR((expected - batch).norm(), 0, 1e-14 * (1 + expected.norm()));

  objective.batch_gradients(x, y, repeated, full, other);
  EXPECT_EQ(full, batch);
  objective.batch_gradient(y, repeated, batch);
  EXPECT_EQ(other, batch);
}

TEST(Objective, DenseGradientsMatchCentralDifferences) {
  const Eigen::MatrixXd data = test::random_matrix(7, 40, 1);
  for (const int p : {1, 3, 7}) {
    expect_gradient_matches(DenseObjective<PcaLoss>(data), p);
    expect_gradient_matches(DenseObjective<L3Loss>(data), p);
    expect_batches_match(DenseObjective<PcaLoss>(data), p);
    expect_batches_match(DenseObjective<L3Loss>(data), p);
  }
}

TEST(Objective, PcaByTheSecondMomentIsTheSameFunction) {
  const Eigen::MatrixXd data = test::random_matrix(7, 40, 1);
  const DenseObjective<PcaLoss> dense(data);
  const PcaObjective moment(data);
  EXPECT_EQ(moment.n(), 7);
  EXPECT_EQ(moment.samples(), 40U);
  for (const int p : {1, 3}) {
    expect_gradient_matches(moment, p);
    expect_batches_match(moment, p);
    const Eigen::MatrixXd x = test::random_matrix(7, p, 9);
    EXPECT_NEAR(moment.value(x), dense.value(x), 1e-12 * std::abs(dense.value(x)));
  }
  Eigen::MatrixXd gradient = Eigen::MatrixXd::Ones(7, 2);
  PcaObjective(Eigen::MatrixXd(7, 0)).gradient(Eigen::MatrixXd::Identity(7, 2), gradient);
  EXPECT_EQ(gradient.norm(), 0);
}

TEST(Objective, GradientsOfTheNormMatchCentralDifferences) {
  const Eigen::MatrixXd data = test::random_matrix(7, 40, 1);
  for (const std::string_view name : robust_loss_names()) {
    const NormObjective<ScaledLoss> norm(data, ScaledLoss{RobustLoss(name), 20});
    for (const int p : {1, 3}) {
      expect_gradient_matches(norm, p);
      expect_batches_match(norm, p);
    }
    const Eigen::MatrixXd x = test::random_matrix(7, 3, 9);
    Eigen::MatrixXd moment;
    Eigen::MatrixXd gradient(7, 3);
    ASSERT_TRUE(norm.weighted_moment(x, moment));
    norm.gradient(x, gradient);
    EXPECT_NEAR((moment * x - gradient).norm(), 0, 1e-12 * gradient.norm());
  }
}

/// What counts is the distance from a subspace, not the basis.
TEST(Objective, TheNormDoesNotDependOnTheBasis) {
  const NormObjective<ScaledLoss> norm(test::random_matrix(5, 40, 1), ScaledLoss{RobustLoss(), 2});
  Eigen::MatrixXd x(5, 2);
  x << 1, 0, 0, 1, 0, 0, 0, 0, 0, 0;
  Eigen::MatrixXd rotation(2, 2);
  rotation << 0.6, -0.8, 0.8, 0.6;
  EXPECT_NEAR(norm.value(x), norm.value(x * rotation), 1e-14);
}

TEST(Objective, AWeightIsAFactorOfEverything) {
  const Eigen::MatrixXd data = test::random_matrix(7, 40, 1);
  const DenseObjective<PcaLoss> plain(data);
  const WeightedObjective<Eigen::Dynamic, Eigen::Dynamic> weighted(
      std::make_unique<PcaObjective>(data), 2.5);
  expect_gradient_matches(weighted, 3);
  expect_batches_match(weighted, 3);
  const Eigen::MatrixXd x = test::random_matrix(7, 3, 9);
  EXPECT_NEAR(weighted.value(x), 2.5 * plain.value(x), 1e-12 * std::abs(plain.value(x)));
  Eigen::MatrixXd a;
  Eigen::MatrixXd b;
  ASSERT_TRUE(plain.weighted_moment(x, a) && weighted.weighted_moment(x, b));
  EXPECT_NEAR((b - 2.5 * a).norm(), 0, 1e-12);
}

TEST(Objective, CloudGradientsMatchCentralDifferences) {
  HomogeneousCloud cloud;
  cloud.assign(test::random_scan(203, 2));
  Eigen::Matrix4d map = test::random_matrix(4, 4, 3);
  map = (map + map.transpose()).eval();
  for (const Eigen::Matrix4d& m : {Eigen::Matrix4d(Eigen::Matrix4d::Identity()), map}) {
    expect_gradient_matches(CloudObjective<L3Loss, 1>(cloud, m), 1);
    expect_gradient_matches(CloudObjective<L3Loss, 4>(cloud, m), 4);
    expect_gradient_matches(CloudObjective<PcaLoss, 1>(cloud, m), 1);
    expect_batches_match(CloudObjective<L3Loss, 1>(cloud, m), 1);
    expect_batches_match(CloudObjective<L3Loss, 4>(cloud, m), 4);
  }
}

/// phi'(y) = weight(y) y: with one projection per column the moment times x is the gradient.
TEST(Objective, TheWeightedMomentTimesTheDirectionIsTheGradient) {
  HomogeneousCloud cloud;
  cloud.assign(test::random_scan(203, 2));
  Eigen::Matrix4d map = test::random_matrix(4, 4, 3);
  map = (map + map.transpose()).eval();
  const CloudObjective<L3Loss, 1> whitened(cloud, map);
  const Eigen::Vector4d x = test::random_matrix(4, 1, 5);
  Eigen::MatrixXd moment;
  Eigen::Vector4d gradient;
  ASSERT_TRUE(whitened.weighted_moment(x, moment));
  whitened.gradient(x, gradient);
  EXPECT_NEAR((moment * x - gradient).norm(), 0, 1e-13 * gradient.norm());

  const Eigen::MatrixXd data = test::random_matrix(7, 40, 1);
  const DenseObjective<PcaLoss> dense(data);
  ASSERT_TRUE(dense.weighted_moment(Eigen::MatrixXd::Identity(7, 3), moment));
  EXPECT_NEAR((moment + data * data.transpose() / 40).norm(), 0, 1e-13);
}

/// Cauchy's, in closed form up to its second derivative.
struct CurvedCauchy {
  double value(double y) const { return std::log1p(y * y) / 2; }
  double slope(double y) const { return y / (1 + y * y); }
  double curvature(double y) const { return (1 - y * y) / ((1 + y * y) * (1 + y * y)); }
};

/// On the sphere, from x along D: f bends by D'C D - x'slope.
template <int N>
void expect_bends(const Objective<N, N == 4 ? 1 : N>& objective, double step, double accuracy) {
  using Matrix = typename Objective<N, N == 4 ? 1 : N>::Matrix;
  const Matrix x = test::random_matrix(objective.n(), 1, 5).normalized();
  Matrix along = test::random_matrix(objective.n(), 1, 6);
  along = (along - x * (x.transpose() * along)).eval();
  along.normalize();
  const auto at = [&](double angle) -> double {
    return objective.value(std::cos(angle) * x + std::sin(angle) * along);
  };
  const double second = (at(step) - 2 * at(0) + at(-step)) / (step * step);
  Bowl bowl;
  Matrix slope = x;
  ASSERT_TRUE(objective.bowl(x, bowl));
  objective.gradient(x, slope);
  const double bends = along.col(0).dot(bowl.curvature * along.col(0)) - x.col(0).dot(slope.col(0));
  EXPECT_NEAR(bends, second, accuracy * (1 + std::abs(second)));
  EXPECT_GT(std::abs(second), 1e-3);  // or there was nothing to see
}

TEST(Objective, TheCurvatureIsTheSecondDerivativeAlongTheSphere) {
  const Eigen::MatrixXd data = test::random_matrix(7, 40, 1);
  expect_bends(DenseObjective<PcaLoss>(data), 1e-4, 1e-5);
  expect_bends(DenseObjective<L3Loss>(data), 1e-4, 1e-4);
  expect_bends(DenseObjective<CurvedCauchy>(data), 1e-4, 1e-5);
  expect_bends(NormObjective<CurvedCauchy>(data), 1e-4, 1e-5);
  expect_bends(PcaObjective(data), 1e-4, 1e-5);
  HomogeneousCloud cloud;
  cloud.assign(test::random_scan(203, 2));
  Eigen::Matrix4d map = test::random_matrix(4, 4, 3);
  map = (map + map.transpose()).eval();
  expect_bends(CloudObjective<L3Loss, 1>(cloud, map), 1e-4, 1e-4);
}

TEST(Objective, ABowlIsOfTheSpanOfXAndOfLossesThatKnowTheirSecondDerivative) {
  const Eigen::MatrixXd data = test::random_matrix(7, 40, 1);
  const Eigen::MatrixXd x = test::random_matrix(7, 2, 9);
  Bowl bowl;
  EXPECT_FALSE(DenseObjective<L3Loss>(data).bowl(x, bowl));
  EXPECT_TRUE(DenseObjective<PcaLoss>(data).bowl(x, bowl));
  EXPECT_NEAR((bowl.curvature - bowl.moment).norm(), 0, 1e-12);
  EXPECT_TRUE(NormObjective<CurvedCauchy>(data).bowl(x, bowl));
  EXPECT_FALSE(NormObjective<ScaledLoss>(data).bowl(x, bowl));
}

TEST(Objective, TheL3LossTakesTheAbsoluteValue) {
  EXPECT_DOUBLE_EQ(L3Loss().value(2), -8.0 / 3);
  EXPECT_DOUBLE_EQ(L3Loss().value(-2), -8.0 / 3);  // the signed cube would give +8/3
  EXPECT_DOUBLE_EQ(L3Loss().slope(-2), 4);
}

TEST(Objective, PcaIsTheTraceFormula) {
  const Eigen::MatrixXd data = test::random_matrix(6, 30, 4);
  const Eigen::MatrixXd x = test::random_matrix(6, 2, 5);
  const double expected = -(x.transpose() * data).squaredNorm() / (2 * 30);
  EXPECT_NEAR(DenseObjective<PcaLoss>(data).value(x), expected, 1e-12);
}

TEST(Objective, AMapIsTheSameAsMappedData) {
  HomogeneousCloud cloud;
  cloud.assign(test::random_scan(50, 2));
  Eigen::Matrix4d map = test::random_matrix(4, 4, 3);
  map = (map + map.transpose()).eval();
  Eigen::MatrixXd mapped(4, 50);
  for (int j = 0; j < 50; ++j) mapped.col(j) = map * cloud.column(j);
  const DenseObjective<L3Loss> dense(mapped);
  const CloudObjective<L3Loss, 1> whitened(cloud, map);
  const Eigen::Vector4d x = test::random_matrix(4, 1, 8);
  EXPECT_NEAR(whitened.value(x), dense.value(x), 1e-13);
  Eigen::Vector4d a;
  Eigen::MatrixXd b(4, 1);
  whitened.gradient(x, a);
  dense.gradient(x, b);
  EXPECT_NEAR((a - b).norm(), 0, 1e-13);
}

TEST(Objective, AnEmptyShardIsZero) {
  const HomogeneousCloud empty;
  const CloudObjective<L3Loss, 1> cloud(empty);
  const DenseObjective<PcaLoss> dense(Eigen::MatrixXd(4, 0));
  Eigen::Vector4d g = Eigen::Vector4d::Ones();
  cloud.gradient(Eigen::Vector4d::UnitX(), g);
  EXPECT_EQ(g, Eigen::Vector4d::Zero());
  EXPECT_EQ(cloud.value(Eigen::Vector4d::UnitX()), 0);
  Eigen::MatrixXd h = Eigen::MatrixXd::Ones(4, 2);
  dense.gradient(Eigen::MatrixXd::Identity(4, 2), h);
  EXPECT_EQ(h.norm(), 0);
}

/// What step "one new file" promises: a loss written here fits both kinds of data.
struct Huber {
  double scale = 1;
  double value(double y) const {
    return std::abs(y) < scale ? y * y / 2 : scale * (std::abs(y) - scale / 2);
  }
  double slope(double y) const { return std::clamp(y, -scale, scale); }
};

TEST(Objective, AnotherLossFits) {
  HomogeneousCloud cloud;
  cloud.assign(test::random_scan(100, 2));
  expect_gradient_matches(CloudObjective<Huber, 1>(cloud, Eigen::Matrix4d::Identity(), Huber{0.1}),
                          1);
}

}  // namespace
}  // namespace roadplane
