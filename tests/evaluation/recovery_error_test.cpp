#include "roadplane/evaluation/recovery_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace roadplane {
namespace {

TEST(RecoveryError, IsTheSineOfTheAngle) {
  const Eigen::Vector4d a = Eigen::Vector4d::UnitX();
  for (const double angle : {0.0, 1e-12, 1e-6, 0.1, 1.0, 1.5}) {
    const Eigen::Vector4d b(std::cos(angle), std::sin(angle), 0, 0);
    EXPECT_NEAR(recovery_error(b, a), std::sin(angle), 1e-16 + 1e-10 * angle);
  }
}

TEST(RecoveryError, SignsAndLengthsDoNotMatter) {
  const Eigen::Vector4d a(0.1, 0.2, 0.5, 0.8);
  const Eigen::Vector4d b(0.1, 0.21, 0.5, 0.8);
  const double error = recovery_error(a, b);
  EXPECT_GT(error, 1e-3);
  EXPECT_NEAR(recovery_error(-a, b), error, 1e-15);
  EXPECT_NEAR(recovery_error(a, -3 * b), error, 1e-15);
  EXPECT_NEAR(recovery_error(b, a), error, 1e-15);
}

TEST(SubspaceError, DependsOnTheRangeOnly) {
  Eigen::MatrixXd x = Eigen::MatrixXd::Identity(5, 2);
  Eigen::MatrixXd turned(5, 2);
  turned.col(0) = (x.col(0) + x.col(1)) / std::sqrt(2.0);
  turned.col(1) = (x.col(1) - x.col(0)) / std::sqrt(2.0);
  EXPECT_NEAR(subspace_error(turned, x), 0, 1e-15);
  turned.col(1) = Eigen::VectorXd::Unit(5, 4);
  EXPECT_NEAR(subspace_error(turned, x), 1, 1e-15);
}

}  // namespace
}  // namespace roadplane
