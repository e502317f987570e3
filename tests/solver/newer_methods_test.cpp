// DRCGD, Q-RGT and RF-EXTRA: the first iterations written out with dense matrices and an SVD,
// straight from the formulas of their headers, and what follows from them.

#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "pca_problem.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/solver/registry.hpp"

namespace roadplane {
namespace {

using Eigen::MatrixXd;
using test::mean;
using test::PcaProblem;
constexpr int kDynamicSize = Eigen::Dynamic;

MatrixXd along_tangent(const MatrixXd& x, const MatrixXd& u) {
  return u - x * (x.transpose() * u + u.transpose() * x) / 2;
}

MatrixXd nearest_orthonormal(const MatrixXd& a) {
  const Eigen::JacobiSVD<MatrixXd> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return svd.matrixU() * svd.matrixV().transpose();
}

/// Four agents on a path.
class NewerMethods : public testing::Test {
 protected:
  static constexpr int kAgents = 4;

  MatrixXd gradient(int i, const MatrixXd& x) const {
    MatrixXd g = x;
    problem_.objectives[i]->gradient(x, g);
    return g;
  }
  MatrixXd riemannian(int i, const MatrixXd& x) const { return along_tangent(x, gradient(i, x)); }
  /// H = grad (3/2 I - 1/2 X'X) - X sym(X' grad) + beta X (X'X - I)
  MatrixXd field(int i, const MatrixXd& x, double beta) const {
    const MatrixXd identity = MatrixXd::Identity(x.cols(), x.cols());
    const MatrixXd g = gradient(i, x);
    const MatrixXd square = x.transpose() * g;
    return g * (1.5 * identity - 0.5 * x.transpose() * x) - x * (square + square.transpose()) / 2 +
           beta * x * (x.transpose() * x - identity);
  }
  MatrixXd mixed(const std::vector<MatrixXd>& rows, int i) const {
    MatrixXd sum = MatrixXd::Zero(rows[0].rows(), rows[0].cols());
    for (int j = 0; j < kAgents; ++j) sum += w_(i, j) * rows[j];
    return sum;
  }
  template <class Solver>
  Solver make(const typename Solver::Options& options) {
    return {channel_, problem_.objectives, std::vector(kAgents, problem_.start), options};
  }
  void expect_same(std::span<const MatrixXd> a, const std::vector<MatrixXd>& b, int k) const {
    for (int i = 0; i < kAgents; ++i) ASSERT_NEAR((a[i] - b[i]).norm(), 0, 1e-12) << k;
  }

  Network network_{Graph::path(kAgents)};
  LocalChannel channel_{network_};
  PcaProblem problem_{kAgents, 30};
  MatrixXd w_ = network_.mixing.dense();
};

TEST_F(NewerMethods, DrcgdsFirstIterationsAreTheFormulas) {
  for (const Conjugacy rule : {Conjugacy::fletcher_reeves, Conjugacy::hybrid}) {
    DrcgdOptions options;
    options.step = 1;  // gradients that turn
    options.schedule = StepSchedule::inverse_sqrt;
    options.conjugacy = rule;
    auto method = make<Drcgd<kDynamicSize, kDynamicSize>>(options);
    std::vector<MatrixXd> x(kAgents, problem_.start);
    std::vector<MatrixXd> eta(kAgents);
    for (int i = 0; i < kAgents; ++i) eta[i] = -riemannian(i, x[i]);
    double most_beta = 0;
    for (int k = 1; k <= 6; ++k) {
      const auto x_before = x;
      const auto eta_before = eta;
      for (int i = 0; i < kAgents; ++i) {
        const double alpha = options.step / std::sqrt(k);
        x[i] = nearest_orthonormal(mixed(x_before, i) + alpha * eta_before[i]);
        const MatrixXd g = riemannian(i, x_before[i]);
        const MatrixXd g_next = riemannian(i, x[i]);
        const double reeves = g_next.squaredNorm() / g.squaredNorm();
        const double ribiere =
            (g_next.array() * (g_next - along_tangent(x[i], g)).array()).sum() / g.squaredNorm();
        const double beta =
            rule == Conjugacy::hybrid ? std::min(reeves, std::max(0.0, ribiere)) : reeves;
        most_beta = std::max(most_beta, beta);
        eta[i] = -g_next + beta * along_tangent(x[i], mixed(eta_before, i));
      }
      method.iterate(k);
      expect_same(method.iterates(), x, k);
      expect_same(method.directions(), eta, k);
    }
    EXPECT_GT(most_beta, 0);  // or the rule was not looked at
  }
}

/// On numbers that travel whole; what few bits change is looked at below.
TEST_F(NewerMethods, QrgtsFirstIterationsAreTheFormulas) {
  network_.wire = Wire::full;
  QrgtOptions options;
  options.step = 0.2;
  options.penalty = 1.3;
  options.consensus_step = 0.6;
  auto method = make<Qrgt<kDynamicSize, kDynamicSize>>(options);
  std::vector<MatrixXd> x(kAgents, problem_.start);
  std::vector<MatrixXd> h(kAgents);
  for (int i = 0; i < kAgents; ++i) h[i] = field(i, x[i], options.penalty);
  std::vector<MatrixXd> s = h;
  for (int k = 1; k <= 6; ++k) {
    const auto x_before = x;
    const auto s_before = s;
    for (int i = 0; i < kAgents; ++i) {
      const double gamma = options.consensus_step;
      x[i] += gamma * (mixed(x_before, i) - x_before[i]) - options.step * s_before[i];
      const MatrixXd next = field(i, x[i], options.penalty);
      s[i] += gamma * (mixed(s_before, i) - s_before[i]) + next - h[i];
      h[i] = next;
    }
    method.iterate(k);
    expect_same(method.iterates(), x, k);
    expect_same(method.trackers(), s, k);
  }
}

TEST_F(NewerMethods, RfExtrasFirstIterationsAreTheFormulas) {
  RfExtraOptions options;
  options.step = 0.2;
  options.penalty = 0.7;
  auto method = make<RfExtra<kDynamicSize, kDynamicSize>>(options);
  std::vector<MatrixXd> x(kAgents, problem_.start);
  std::vector<MatrixXd> s(kAgents);
  for (int i = 0; i < kAgents; ++i) s[i] = -options.step * field(i, x[i], options.penalty);
  for (int k = 1; k <= 6; ++k) {
    const auto before = x;
    for (int i = 0; i < kAgents; ++i) {
      x[i] = mixed(before, i) + s[i];
      const MatrixXd change =
          field(i, x[i], options.penalty) - field(i, before[i], options.penalty);
      s[i] += (mixed(before, i) - before[i]) / 2 - options.step * change;  // V = (I + W) / 2
    }
    method.iterate(k);
    expect_same(method.iterates(), x, k);
    expect_same(method.corrections(), s, k);
  }
}

TEST_F(NewerMethods, QuantisedMessagesKeepTheTrackersMean) {
  for (const int bits : {4, 8, 12}) {
    QrgtOptions options;
    options.bits = bits;
    options.step = 0.02;
    auto method = make<Qrgt<kDynamicSize, kDynamicSize>>(options);
    for (int k = 1; k <= 200; ++k) {
      method.iterate(k);
      ASSERT_LT((mean(method.trackers()) - mean(method.fields())).norm(), 1e-12) << bits << k;
    }
  }
}

TEST_F(NewerMethods, TheCorrectionsOfRfExtraAreTheMeanStep) {
  RfExtraOptions options;
  options.step = 0.07;
  auto method = make<RfExtra<kDynamicSize, kDynamicSize>>(options);
  for (int k = 1; k <= 200; ++k) {
    method.iterate(k);
    ASSERT_LT((mean(method.corrections()) + options.step * mean(method.fields())).norm(), 1e-12);
  }
}

TEST(Qrgt, BadOptionsAreNamed) {
  for (const int bits : {3, 13}) {
    QrgtOptions options;
    options.bits = bits;
    EXPECT_THROW(options.validate(), InputError);
  }
  QrgtOptions options;
  options.penalty = 0;
  EXPECT_THROW(options.validate(), InputError);
  RfExtraOptions other;
  other.penalty = -1;
  EXPECT_THROW(other.validate(), InputError);
}

/// With few bits, and without a retraction, to the exact subspace all the same; DRCGD with a
/// constant step stops near it, the nearer the shorter the step.
TEST(NewerMethodsOnPca, TheExactOnesAreExact) {
  for (const Graph& graph : {Graph::ring(8), Graph::star(8), Graph::erdos_renyi(8, 0.5, 1)}) {
    const Network network(graph);
    LocalChannel channel(network);
    const PcaProblem problem(8);
    const auto expect_exact = [&](auto options) {
      options.step = 0.05;
      options.stop.max_iterations = 20'000;
      options.stop.stationarity_tolerance = 1e-18;
      typename decltype(options)::template Method<kDynamicSize, kDynamicSize> method(
          channel, problem.objectives, std::vector(8, problem.start), options);
      Ledger ledger(channel);
      const auto result = run(method, options, ledger);
      EXPECT_EQ(result.termination, Termination::converged) << options.kName;
      for (const auto& x : result.x) EXPECT_LT(subspace_error(x, problem.principal), 1e-8);
    };
    expect_exact(QrgtOptions{});
    expect_exact(RfExtraOptions{});
  }
}

TEST(NewerMethodsOnPca, DrcgdStopsTheNearerTheShorterItsStep) {
  const Network network(Graph::ring(8));
  const PcaProblem problem(8);
  const auto gap = [&](double step) {
    LocalChannel channel(network);
    DrcgdOptions options;
    options.step = step;
    options.stop.max_iterations = 20'000;
    options.trace.end = true;
    return solve<Drcgd>(channel, problem.objectives, problem.start, options)
        .trace.back()
        .gap.total();
  };
  const double coarse = gap(0.02);
  EXPECT_LT(coarse, 1e-1);
  EXPECT_LT(gap(0.002), coarse / 10);
  EXPECT_GT(gap(0.002), 1e-15);
}

}  // namespace
}  // namespace roadplane
