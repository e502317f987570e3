#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/network/mixing_matrix.hpp"

namespace roadplane {
namespace {

constexpr int kLargestDense = 512;
constexpr double kAccuracy = 1e-9;  // of 1 - SLEM
constexpr double kRounding = 1e-13;

double dense_slem(const MixingMatrix& mixing) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(mixing.dense(),
                                                              Eigen::EigenvaluesOnly);
  const Eigen::VectorXd& ascending = solver.eigenvalues();
  return std::max(std::abs(ascending(0)), std::abs(ascending(ascending.size() - 2)));
}

/// A symmetric tridiagonal matrix: diagonal, and squares of what stands beside it.
struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> beside_squared;

  /// Whether all eigenvalues lie strictly between -bound and bound: then bound - T and bound + T
  /// have positive pivots only.
  bool within(double bound) const {
    for (const double sign : {1.0, -1.0}) {
      double pivot = 1;
      for (std::size_t k = 0; k < diagonal.size(); ++k) {
        pivot = bound - sign * diagonal[k] - (k > 0 ? beside_squared[k - 1] / pivot : 0);
        if (pivot <= 0) return false;
      }
    }
    return true;
  }

  double largest_modulus() const {
    double low = 0;
    double high = 1;
    while (high - low > 1e-16) {
      const double middle = (low + high) / 2;
      if (middle <= low || middle >= high) break;
      (within(middle) ? high : low) = middle;
    }
    return high;
  }
};

Eigen::VectorXd without_mean(const Eigen::VectorXd& x) { return x.array() - x.mean(); }

/// Lanczos on the vectors of mean zero, where the SLEM is the largest eigenvalue modulus. Without
/// reorthogonalisation: lost orthogonality brings eigenvalues again, but none that are not there.
double lanczos_slem(const MixingMatrix& mixing) {
  constexpr double kExhausted = 1e-13;  // a star has three eigenvalues, so three steps do
  const int d = mixing.size();
  CounterRandom random(1, RandomUse::graph, 1);
  Eigen::VectorXd current =
      without_mean(Eigen::VectorXd::NullaryExpr(d, [&] { return random.normal(); })).normalized();
  Eigen::VectorXd previous = Eigen::VectorXd::Zero(d);
  Eigen::VectorXd product(d);
  Tridiagonal t;
  double beside = 0;
  double last = 0;
  for (std::size_t check = 64;; check *= 2) {
    while (t.diagonal.size() < check) {
      for (int i = 0; i < d; ++i) {
        product(i) = 0;
        for (const auto& [j, value] : mixing.row(i)) product(i) += value * current(j);
      }
      t.diagonal.push_back(current.dot(product));
      product = without_mean(product - t.diagonal.back() * current - beside * previous);
      beside = product.norm();
      if (beside < kExhausted) return t.largest_modulus();
      t.beside_squared.push_back(beside * beside);
      previous = std::exchange(current, product / beside);
    }
    const double slem = t.largest_modulus();
    if (slem - last <= std::max(kRounding, kAccuracy * (1 - slem))) return slem;
    last = slem;
  }
}

}  // namespace

double MixingMatrix::slem() const {
  if (size() == 1) return 0;
  const double modulus = size() <= kLargestDense ? dense_slem(*this) : lanczos_slem(*this);
  return modulus < 1e-14 ? 0 : modulus;  // the complete graph's is zero but for rounding
}

}  // namespace roadplane
