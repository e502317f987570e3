#include "newton_step.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace roadplane {
namespace {

// A longer step would leave what the second derivative at its beginning knows of.
constexpr double kLongestRad = 0.5;

/// `tiny` stands for no curvature at all.
double kept(double curvature, double moment, double tiny) {
  constexpr double kLeast = 0.2;
  const double most = std::max(tiny, std::abs(moment));
  return std::clamp(moment < 0 ? -curvature : curvature, kLeast * most, most);
}

}  // namespace

template <int N, int P>
Eigen::Matrix<double, N, P> newton_step(const Eigen::Matrix<double, N, P>& x, const Bowl& bowl,
                                        const Eigen::Matrix<double, N, P>& slope) {
  using Eigen::MatrixXd;
  const Eigen::Index n = x.rows();
  const Eigen::Index p = x.cols();
  // The principal directions across the span of X; its own come last.
  const MatrixXd own = x * x.transpose();
  const MatrixXd across = MatrixXd::Identity(n, n) - own;
  const double size = bowl.curvature.norm() + bowl.moment.norm();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> bend(across * bowl.curvature * across +
                                                     (1 + 2 * size) * own);
  const MatrixXd directions = bend.eigenvectors().leftCols(n - p);
  // The constraint bends the other way: X moves by D, f by 1/2 tr(D'C D - D sym(X'slope) D').
  const MatrixXd pull = x.transpose() * slope;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> turn((pull + pull.transpose()) / 2);
  MatrixXd step = -directions.transpose() * slope * turn.eigenvectors();
  for (Eigen::Index r = 0; r < n - p; ++r) {
    const double moment = directions.col(r).dot(bowl.moment * directions.col(r));
    for (Eigen::Index c = 0; c < p; ++c) {
      const double against = turn.eigenvalues()(c);
      step(r, c) /= kept(bend.eigenvalues()(r) - against, moment - against, 1e-9 * (1e-9 + size));
    }
  }
  step *= std::min(1.0, kLongestRad / std::max(kLongestRad, step.norm()));
  return directions * step * turn.eigenvectors().transpose();
}

template Eigen::MatrixXd newton_step(const Eigen::MatrixXd&, const Bowl&, const Eigen::MatrixXd&);
template Eigen::Vector4d newton_step(const Eigen::Vector4d&, const Bowl&, const Eigen::Vector4d&);

}  // namespace roadplane
