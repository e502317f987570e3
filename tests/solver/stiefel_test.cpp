#include "roadplane/solver/stiefel.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <Eigen/SVD>

#include "support/random_data.hpp"

namespace roadplane {
namespace {

Eigen::MatrixXd orthonormal(int n, int p, std::uint64_t seed) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(test::random_matrix(n, p, seed));
  return qr.householderQ() * Eigen::MatrixXd::Identity(n, p);
}

TEST(Stiefel, DirectionIsThePapersFormula) {
  const int n = 9;
  const int p = 3;
  Stiefel<Eigen::Dynamic, Eigen::Dynamic> stiefel(n, p);
  const Eigen::MatrixXd x = test::random_matrix(n, p, 1);
  const Eigen::MatrixXd g = test::random_matrix(n, p, 2);
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(p, p);
  const Eigen::MatrixXd xg = x.transpose() * g;
  const double beta = 0.7;
  const Eigen::MatrixXd expected = g * (1.5 * identity - 0.5 * x.transpose() * x) -
                                   x * (xg + xg.transpose()) / 2 +
                                   beta * x * (x.transpose() * x - identity);
  Eigen::MatrixXd h(n, p);
  stiefel.direction(x, g, beta, h);
  EXPECT_NEAR((h - expected).norm(), 0, 1e-12);
}

TEST(Stiefel, FixedAndDynamicSizesAgree) {
  const Eigen::Vector4d x = test::random_matrix(4, 1, 1);
  const Eigen::Vector4d g = test::random_matrix(4, 1, 2);
  Eigen::Vector4d fixed;
  Eigen::MatrixXd dynamic(4, 1);
  Stiefel<4, 1>(4, 1).direction(x, g, 1, fixed);
  Stiefel<Eigen::Dynamic, Eigen::Dynamic>(4, 1).direction(x, g, 1, dynamic);
  EXPECT_NEAR((fixed - dynamic).norm(), 0, 1e-14);
}

TEST(Stiefel, ProjectionGivesTangentVectorsAndIsIdempotent) {
  Stiefel<Eigen::Dynamic, Eigen::Dynamic> stiefel(8, 3);
  const Eigen::MatrixXd x = orthonormal(8, 3, 1);
  Eigen::MatrixXd u = test::random_matrix(8, 3, 2);
  stiefel.project(x, u);
  const Eigen::MatrixXd xu = x.transpose() * u;
  EXPECT_NEAR((xu + xu.transpose()).norm(), 0, 1e-14);
  Eigen::MatrixXd again = u;
  stiefel.project(x, again);
  EXPECT_NEAR((again - u).norm(), 0, 1e-14);
}

TEST(Stiefel, RetractionStaysOnTheManifoldAndIsThePolarFactor) {
  for (const int p : {1, 2, 4, 5}) {
    for (const double size : {1e-6, 0.1, 1.0, 30.0}) {
      Stiefel<Eigen::Dynamic, Eigen::Dynamic> stiefel(8, p);
      const Eigen::MatrixXd x = orthonormal(8, p, 1);
      Eigen::MatrixXd u = size * test::random_matrix(8, p, 2);
      stiefel.project(x, u);
      Eigen::MatrixXd a = x + u;
      const Eigen::JacobiSVD<Eigen::MatrixXd> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
      const Eigen::MatrixXd polar = svd.matrixU() * svd.matrixV().transpose();
      stiefel.retract(a);
      EXPECT_NEAR(stiefel.infeasibility(a), 0, 1e-14) << "p " << p << ", size " << size;
      EXPECT_NEAR((a - polar).norm(), 0, 1e-11) << "p " << p << ", size " << size;
    }
  }
}

}  // namespace
}  // namespace roadplane
