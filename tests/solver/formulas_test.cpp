// The first iterations of the methods that live on the manifold, written out with dense matrices
// and an SVD, straight from the formulas of their headers.

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <numeric>

#include "pca_problem.hpp"
#include "roadplane/base/counter_random.hpp"
#include "roadplane/solver/registry.hpp"

namespace roadplane {
namespace {

using Eigen::MatrixXd;
using Matrices = std::vector<MatrixXd>;

MatrixXd along_tangent(const MatrixXd& x, const MatrixXd& u) {
  return u - x * (x.transpose() * u + u.transpose() * x) / 2;
}

/// The nearest point of the manifold.
MatrixXd polar(const MatrixXd& a) {
  const Eigen::JacobiSVD<MatrixXd> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return svd.matrixU() * svd.matrixV().transpose();
}

/// Four agents on a path.
class Formulas : public testing::Test {
 protected:
  static constexpr int kAgents = 4;
  static constexpr int kSamples = 30;
  static constexpr int kIterations = 6;

  MatrixXd riemannian(int i, const MatrixXd& x) const {
    MatrixXd g = x;
    problem_.objectives[i]->gradient(x, g);
    return along_tangent(x, g);
  }
  Matrices riemannian(const Matrices& x) const {
    Matrices g(kAgents);
    for (int i = 0; i < kAgents; ++i) g[i] = riemannian(i, x[i]);
    return g;
  }
  static Matrices mixed(const MatrixXd& weights, const Matrices& rows) {
    Matrices sums(kAgents, MatrixXd::Zero(rows[0].rows(), rows[0].cols()));
    for (int i = 0; i < kAgents; ++i) {
      for (int j = 0; j < kAgents; ++j) sums[i] += weights(i, j) * rows[j];
    }
    return sums;
  }
  template <class Options>
  auto make(const Options& options) {
    return typename Options::template Method<Eigen::Dynamic, Eigen::Dynamic>(
        channel_, problem_.objectives, start_, options);
  }
  static void expect_same(std::span<const MatrixXd> a, const Matrices& b, int iteration) {
    for (int i = 0; i < kAgents; ++i) ASSERT_NEAR((a[i] - b[i]).norm(), 0, 1e-12) << iteration;
  }

  Network network_{Graph::path(kAgents)};
  LocalChannel channel_{network_};
  test::PcaProblem problem_{kAgents, kSamples};
  Matrices start_ = Matrices(kAgents, problem_.start);
  MatrixXd w_ = network_.mixing.dense();
};

TEST_F(Formulas, OfRextra) {
  RextraOptions options;
  options.step = 0.2;
  auto method = make(options);
  const MatrixXd v = (MatrixXd::Identity(kAgents, kAgents) + w_) / 2;
  Matrices x = start_;
  Matrices s = riemannian(x);
  for (MatrixXd& own : s) own *= -options.step;
  for (int k = 1; k <= kIterations; ++k) {
    const Matrices before = x;
    for (int i = 0; i < kAgents; ++i) {
      x[i] = polar(mixed(w_, before)[i] + s[i]);
      s[i] += mixed(w_ - v, before)[i] -
              options.step * (riemannian(i, x[i]) - riemannian(i, before[i]));
    }
    method.iterate(k);
    expect_same(method.iterates(), x, k);
    expect_same(method.corrections(), s, k);
  }
}

TEST_F(Formulas, OfDprgt) {
  DprgtOptions options;
  options.step = 0.2;
  auto method = make(options);
  Matrices x = start_;
  Matrices s = riemannian(x);
  for (int k = 1; k <= kIterations; ++k) {
    const Matrices x_before = x;
    const Matrices s_before = s;
    for (int i = 0; i < kAgents; ++i) {
      x[i] = polar(mixed(w_, x_before)[i] - options.step * along_tangent(x_before[i], s_before[i]));
      s[i] = mixed(w_, s_before)[i] + riemannian(i, x[i]) - riemannian(i, x_before[i]);
    }
    method.iterate(k);
    expect_same(method.iterates(), x, k);
    expect_same(method.trackers(), s, k);
  }
}

TEST_F(Formulas, OfDrgta) {
  DrgtaOptions options;
  options.step = 0.2;
  options.consensus_step = 0.7;
  options.schedule = StepSchedule::inverse_sqrt;
  options.gossip.rounds = 2;
  auto method = make(options);
  const MatrixXd weights = w_ * w_;  // t = 2
  Matrices x = start_;
  Matrices s = riemannian(x);
  for (int k = 1; k <= kIterations; ++k) {
    const Matrices x_before = x;
    const Matrices s_before = s;
    const double beta = options.step / std::sqrt(k);
    for (int i = 0; i < kAgents; ++i) {
      const MatrixXd& at = x_before[i];
      x[i] =
          polar(at + options.consensus_step * along_tangent(at, mixed(weights, x_before)[i] - at) -
                beta * along_tangent(at, s_before[i]));
      s[i] = mixed(weights, s_before)[i] + riemannian(i, x[i]) - riemannian(i, at);
    }
    method.iterate(k);
    expect_same(method.iterates(), x, k);
    expect_same(method.trackers(), s, k);
  }
}

/// Eight of thirty samples at a time, in an order that each agent shuffles as it goes, anew in
/// every epoch of four iterations, the last of six samples.
TEST_F(Formulas, OfDrsgd) {
  DrsgdOptions options;
  options.step = 0.2;
  options.consensus_step = 0.7;
  options.schedule = StepSchedule::inverse;
  options.batch = 8;
  options.gossip.rounds = 2;
  auto method = make(options);
  constexpr int kEpoch = 4;
  const MatrixXd weights = w_ * w_;  // t = 2
  Matrices x = start_;
  std::vector<std::uint32_t> in_turn(kSamples);
  std::iota(in_turn.begin(), in_turn.end(), 0U);
  std::vector<std::vector<std::uint32_t>> order;
  for (int k = 1; k <= kIterations; ++k) {
    const Matrices before = x;
    const int first = (k - 1) % kEpoch * options.batch;
    const double beta = options.step / (k <= kEpoch ? 1 : 2);
    if (first == 0) order.assign(kAgents, in_turn);
    for (int i = 0; i < kAgents; ++i) {
      CounterRandom random(options.seed, RandomUse::batch, i, k);
      MatrixXd sum = MatrixXd::Zero(x[i].rows(), x[i].cols());
      for (int j = first; j < std::min(first + options.batch, kSamples); ++j) {
        std::swap(order[i][j], order[i][j + random.below(kSamples - j)]);
        MatrixXd g = before[i];
        problem_.objectives[i]->batch_gradient(before[i], std::span(&order[i][j], 1), g);
        sum += g;
      }
      const MatrixXd towards = along_tangent(before[i], mixed(weights, before)[i] - before[i]);
      const MatrixXd gradient = along_tangent(before[i], sum * kEpoch / kSamples);
      x[i] = polar(before[i] + options.consensus_step * towards - beta * gradient);
    }
    method.iterate(k);
    expect_same(method.iterates(), x, k);
  }
}

}  // namespace
}  // namespace roadplane
