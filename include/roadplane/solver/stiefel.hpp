#pragma once

#include <Eigen/Core>
#include <cmath>

namespace roadplane {

/// The formulas of the orthogonality constraint X'X = I, with the scratch space they need, so that
/// none of them allocates.
template <int N, int P>
class Stiefel {
 public:
  using Matrix = Eigen::Matrix<double, N, P>;
  using Square = Eigen::Matrix<double, P, P>;

  Stiefel(int n, int p) : gram_(p, p), square_(p, p), scratch_(n, p) {}

  /// G(X) = grad (3/2 I - 1/2 X'X) - X sym(X' grad): the gradient part of the search direction.
  void gradient_part(const Matrix& x, const Matrix& grad, Matrix& result) {
    direction(x, grad, 0, result);
  }

  /// H(X) = G(X) + beta X (X'X - I): the search direction of VRSGT and DESTINY.
  void direction(const Matrix& x, const Matrix& grad, double beta, Matrix& result) {
    gram_ = x.transpose().lazyProduct(x);
    square_ = x.transpose().lazyProduct(grad);
    symmetrise(square_);
    // grad (3/2 I - 1/2 X'X) + X (beta X'X - sym(X' grad)) - beta X
    square_ = beta * gram_ - square_;
    result = 1.5 * grad - beta * x;
    result += x.lazyProduct(square_);
    result -= 0.5 * grad.lazyProduct(gram_);
  }

  /// ||X'X - I||_F
  double infeasibility(const Matrix& x) {
    gram_ = x.transpose().lazyProduct(x);
    gram_.diagonal().array() -= 1;
    return gram_.norm();
  }

  /// P_x(u) = u - 1/2 x (x'u + u'x), in place: onto the tangent space at x.
  void project(const Matrix& x, Matrix& u) {
    square_ = x.transpose().lazyProduct(u);
    symmetrise(square_);
    u -= x.lazyProduct(square_);
  }

  /// The polar factor a (a'a)^{-1/2}, in place: the nearest point of the manifold. By
  /// Newton-Schulz, which needs products only; for p = 1 it is a division.
  void retract(Matrix& a) {
    if (a.cols() == 1) {
      a /= a.norm();
      return;
    }
    gram_ = a.transpose().lazyProduct(a);
    a /= std::sqrt(gram_.norm());  // singular values at most 1: the iteration converges
    constexpr int kMostSteps = 100;
    for (int k = 0; k < kMostSteps; ++k) {
      const double before = infeasibility(a);  // leaves a'a - I in gram_
      if (!(before > 1e-15)) break;
      scratch_ = a.lazyProduct(gram_);
      a -= scratch_ / 2;
      if (before < 1e-8) break;  // quadratic convergence: the step above was the last that counts
    }
  }

 private:
  static void symmetrise(Square& a) {
    for (Eigen::Index c = 0; c < a.cols(); ++c) {
      for (Eigen::Index r = 0; r < c; ++r) a(r, c) = a(c, r) = (a(r, c) + a(c, r)) / 2;
    }
  }

  Square gram_;
  Square square_;
  Matrix scratch_;
};

}  // namespace roadplane
