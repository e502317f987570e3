// What must hold for every solver, whatever its formulas are.

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <limits>

#include "pca_problem.hpp"
#include "roadplane/base/counter_random.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/network/gossip.hpp"
#include "roadplane/solver/registry.hpp"

namespace roadplane {
namespace {

using test::mean;
using test::PcaProblem;
constexpr int kAny = Eigen::Dynamic;

template <class Chosen>
struct Solver {
  using Options = Chosen;
  using Dynamic = typename Options::template Method<kAny, kAny>;
  static auto solve(Channel& channel, Objectives<kAny, kAny> objectives,
                    const Eigen::MatrixXd& start, const Options& options) {
    Dynamic method(channel, objectives, std::vector(objectives.size(), start), options);
    Ledger ledger(channel);
    return run(method, options, ledger);
  }
};

template <class... Options>
testing::Types<Solver<Options>...> solvers_of(std::type_identity<std::variant<Options...>>);

template <class S>
class EverySolver : public testing::Test {
 protected:
  typename S::Dynamic make(const Eigen::MatrixXd& start) {
    typename S::Options options;
    options.step = 0.05;
    return {channel_, problem_.objectives, std::vector(8, start), options};
  }

  Network network_{Graph::ring(8)};
  LocalChannel channel_{network_};
  PcaProblem problem_{8};
};

using Solvers = decltype(solvers_of(std::type_identity<AnySolverOptions>{}));
TYPED_TEST_SUITE(EverySolver, Solvers);

TYPED_TEST(EverySolver, TheSignOfTheStartIsTheSignOfTheIterates) {
  auto plus = this->make(this->problem_.start);
  auto minus = this->make(-this->problem_.start);
  for (int k = 1; k <= 100; ++k) {
    plus.iterate(k);
    minus.iterate(k);
    for (int i = 0; i < 8; ++i) ASSERT_EQ(plus.iterates()[i], -minus.iterates()[i]) << k;
  }
}

TYPED_TEST(EverySolver, SameSeedSameBits) {
  auto first = this->make(this->problem_.start);
  auto second = this->make(this->problem_.start);
  for (int k = 1; k <= 100; ++k) {
    first.iterate(k);
    second.iterate(k);
  }
  for (int i = 0; i < 8; ++i) EXPECT_EQ(first.iterates()[i], second.iterates()[i]);
}

TYPED_TEST(EverySolver, IteratesStayNearTheManifoldAndTheAgentsNearEachOther) {
  auto method = this->make(this->problem_.start);
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(PcaProblem::kP, PcaProblem::kP);
  // VRSGT, DESTINY and the like are drawn to the manifold, the others never leave it.
  const bool penalised = requires(typename TypeParam::Options o) { o.penalty; };
  for (int k = 1; k <= 400; ++k) {
    method.iterate(k);
    for (const auto& x : method.iterates()) {
      ASSERT_LT((x.transpose() * x - identity).norm(), penalised ? 0.1 : 1e-13) << k;
      ASSERT_LT((x - method.iterates()[0]).norm(), 0.5) << k;
    }
  }
}

/// PCA that breaks down after some gradients, as overflowing data would.
class Poisoned final : public Objective<kAny, kAny> {
 public:
  Poisoned(const Objective<kAny, kAny>& inner, int good_calls)
      : inner_(inner), good_calls_(good_calls) {}
  int n() const override { return inner_.n(); }
  std::uint32_t samples() const override { return inner_.samples(); }
  double value(const Matrix& x) const override { return inner_.value(x); }
  void gradient(const Matrix& x, Matrix& result) const override {
    inner_.gradient(x, result);
    spoil(result);
  }
  void batch_gradient(const Matrix& x, Batch batch, Matrix& result) const override {
    inner_.batch_gradient(x, batch, result);
    spoil(result);
  }
  bool weighted_moment(const Matrix& x, Eigen::MatrixXd& result) const override {
    const bool known = inner_.weighted_moment(x, result);
    spoil(result);
    return known;
  }

 private:
  void spoil(Matrix& result) const {
    if (++calls_ > good_calls_) result.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  const Objective<kAny, kAny>& inner_;
  int good_calls_;
  mutable int calls_ = 0;
};

TYPED_TEST(EverySolver, ValuesThatAreNotFiniteAreReportedAsDivergence) {
  std::vector<std::unique_ptr<Objective<kAny, kAny>>> objectives;
  for (const auto& good : this->problem_.objectives) {
    objectives.push_back(std::make_unique<Poisoned>(*good, objectives.size() == 3 ? 60 : 1 << 30));
  }
  typename TypeParam::Options options;
  options.step = 0.05;
  const auto result = TypeParam::solve(this->channel_, objectives, this->problem_.start, options);
  EXPECT_EQ(result.termination, Termination::diverged);
  EXPECT_LE(result.iterations, 120);
  for (const auto& x : result.x) EXPECT_TRUE(x.allFinite());
}

TYPED_TEST(EverySolver, RoundsSamplesAndBytesAreCountedAsSpent) {
  typename TypeParam::Options options;
  constexpr bool kMoments = std::is_same_v<typename TypeParam::Options, GossipIrlsOptions>;
  constexpr bool kQuantised = std::is_same_v<typename TypeParam::Options, QrgtOptions>;
  options.stop.max_rounds = 101;
  const auto rounds =
      TypeParam::solve(this->channel_, this->problem_.objectives, this->problem_.start, options);
  EXPECT_EQ(rounds.termination, Termination::round_limit);
  EXPECT_LE(rounds.traffic.rounds, 101);
  // A round carries one matrix, a flood's round one number.
  const std::int64_t matrix = kMoments     ? 4 * PcaProblem::kN * (PcaProblem::kN + 1) / 2
                              : kQuantised ? 1 + PcaProblem::kN * PcaProblem::kP
                                           : 8 * PcaProblem::kN * PcaProblem::kP;
  EXPECT_LE(rounds.traffic.bytes_per_link, rounds.traffic.rounds * matrix);
  EXPECT_GE(rounds.traffic.bytes_per_link, rounds.traffic.rounds * matrix / 2);

  options.stop = {};
  options.stop.max_samples = 3000;
  const auto samples =
      TypeParam::solve(this->channel_, this->problem_.objectives, this->problem_.start, options);
  EXPECT_EQ(samples.termination, Termination::sample_limit);
  EXPECT_LE(samples.samples, 3000);
  EXPECT_GT(samples.samples, 3000 - 100);  // another full pass would have been too much
}

TEST(ProjectedTracking, TheTrackersMeanIsTheEstimatesMeanAtEveryIteration) {
  const Network network(Graph::star(8));
  LocalChannel channel(network);
  const PcaProblem problem(8);
  const auto check = [&](auto method) {
    for (int k = 1; k <= 200; ++k) {
      method.iterate(k);
      ASSERT_LT((mean(method.trackers()) - mean(method.estimates())).norm(), 1e-12) << k;
    }
  };
  check(Dprgt<kAny, kAny>(channel, problem.objectives, std::vector(8, problem.start), {}));
  check(Dprsrm<kAny, kAny>(channel, problem.objectives, std::vector(8, problem.start), {}));
}

TEST(Rextra, TheCorrectionsMeanIsTheMeanGradientStepAtEveryIteration) {
  const Network network(Graph::star(8));
  LocalChannel channel(network);
  const PcaProblem problem(8);
  RextraOptions options;
  options.step = 0.07;
  Rextra<kAny, kAny> method(channel, problem.objectives, std::vector(8, problem.start), options);
  for (int k = 1; k <= 200; ++k) {
    method.iterate(k);
    ASSERT_LT((mean(method.corrections()) + options.step * mean(method.gradients())).norm(), 1e-12)
        << k;
  }
}

Eigen::MatrixXd tangential(const Eigen::MatrixXd& x, const Eigen::MatrixXd& u) {
  return u - x * (x.transpose() * u + u.transpose() * x) / 2;
}

/// The nearest point of the manifold.
Eigen::MatrixXd polar(const Eigen::MatrixXd& a) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return svd.matrixU() * svd.matrixV().transpose();
}

/// The first iterations written out with dense matrices and an SVD, straight from the formulas.
TEST(Rextra, TheFirstIterationsAreTheFormulas) {
  const int d = 4;
  const Network network(Graph::path(d));
  LocalChannel channel(network);
  const PcaProblem problem(d, 30);
  RextraOptions options;
  options.step = 0.2;
  Rextra<kAny, kAny> method(channel, problem.objectives, std::vector(d, problem.start), options);
  const Eigen::MatrixXd w = network.mixing.dense();
  const Eigen::MatrixXd v = (Eigen::MatrixXd::Identity(d, d) + w) / 2;
  const auto riemannian = [&](int i, const Eigen::MatrixXd& x) {
    Eigen::MatrixXd g = x;
    problem.objectives[i]->gradient(x, g);
    return tangential(x, g);
  };
  std::vector<Eigen::MatrixXd> x(d, problem.start);
  std::vector<Eigen::MatrixXd> s(d);
  for (int i = 0; i < d; ++i) s[i] = -options.step * riemannian(i, x[i]);
  for (int k = 1; k <= 6; ++k) {
    const auto before = x;
    for (int i = 0; i < d; ++i) {
      Eigen::MatrixXd sum = s[i];
      Eigen::MatrixXd difference = Eigen::MatrixXd::Zero(x[i].rows(), x[i].cols());
      for (int j = 0; j < d; ++j) {
        sum += w(i, j) * before[j];
        difference += (w(i, j) - v(i, j)) * before[j];
      }
      x[i] = polar(sum);
      s[i] += difference - options.step * (riemannian(i, x[i]) - riemannian(i, before[i]));
    }
    method.iterate(k);
    for (int i = 0; i < d; ++i) ASSERT_NEAR((method.iterates()[i] - x[i]).norm(), 0, 1e-12) << k;
  }
}

/// The same for the methods that project and track.
template <class Method>
void expect_formulas(const typename Method::Options& options, const auto& estimate) {
  const int d = 4;
  const Network network(Graph::path(d));
  LocalChannel channel(network);
  const PcaProblem problem(d, 30);
  Method method(channel, problem.objectives, std::vector(d, problem.start), options);
  const Eigen::MatrixXd w = network.mixing.dense();
  std::vector<Eigen::MatrixXd> x(d, problem.start);
  std::vector<Eigen::MatrixXd> q(d);
  for (int i = 0; i < d; ++i) q[i] = estimate(*problem.objectives[i], i, 0, x[i], x[i], q[i]);
  std::vector<Eigen::MatrixXd> s = q;
  for (int k = 1; k <= 6; ++k) {
    const auto x_before = x;
    const auto s_before = s;
    for (int i = 0; i < d; ++i) {
      Eigen::MatrixXd sum = -options.step * tangential(x_before[i], s_before[i]);
      Eigen::MatrixXd tracker = -q[i];
      for (int j = 0; j < d; ++j) {
        sum += w(i, j) * x_before[j];
        tracker += w(i, j) * s_before[j];
      }
      x[i] = polar(sum);
      q[i] = estimate(*problem.objectives[i], i, k, x[i], x_before[i], q[i]);
      s[i] = tracker + q[i];
    }
    method.iterate(k);
    for (int i = 0; i < d; ++i) {
      ASSERT_NEAR((method.iterates()[i] - x[i]).norm(), 0, 1e-12) << k;
      ASSERT_NEAR((method.trackers()[i] - s[i]).norm(), 0, 1e-12) << k;
    }
  }
}

TEST(Dprgt, TheFirstIterationsAreTheFormulas) {
  DprgtOptions options;
  options.step = 0.2;
  expect_formulas<Dprgt<kAny, kAny>>(
      options, [](const Objective<kAny, kAny>& f, int, int, const Eigen::MatrixXd& x,
                  const Eigen::MatrixXd&, const Eigen::MatrixXd&) {
        Eigen::MatrixXd g = x;
        f.gradient(x, g);
        return tangential(x, g);
      });
}

TEST(Dprsrm, TheFirstIterationsAreTheFormulas) {
  DprsrmOptions options;
  options.step = 0.2;
  options.batch = 5;
  options.momentum = 0.3;
  expect_formulas<Dprsrm<kAny, kAny>>(
      options,
      [&](const Objective<kAny, kAny>& f, int agent, int k, const Eigen::MatrixXd& x,
          const Eigen::MatrixXd& previous, const Eigen::MatrixXd& q) -> Eigen::MatrixXd {
        CounterRandom random(options.seed, RandomUse::batch, agent, k);
        std::vector<std::uint32_t> batch(5);
        for (auto& j : batch) j = random.below(30);
        Eigen::MatrixXd here = x;
        Eigen::MatrixXd there = x;
        f.batch_gradient(x, batch, here);
        if (k == 0) return tangential(x, here);
        f.batch_gradient(previous, batch, there);
        return tangential(x, here) + (1 - options.momentum) * (q - tangential(previous, there));
      });
}

TEST(Dprsrm, BadOptionsAreNamed) {
  DprsrmOptions options;
  options.momentum = 0;
  EXPECT_THROW(options.validate(), InputError);
  options.momentum = 1.5;
  EXPECT_THROW(options.validate(), InputError);
  options = {};
  options.batch = 0;
  EXPECT_THROW(options.validate(), InputError);
}

}  // namespace
}  // namespace roadplane
