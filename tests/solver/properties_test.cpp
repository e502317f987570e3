// What must hold for every solver, whatever its formulas are.

#include <gtest/gtest.h>

#include <limits>

#include "pca_problem.hpp"
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
  bool bowl(const Matrix& x, Bowl& result) const override { return inner_.bowl(x, result); }

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
  using Options = typename TypeParam::Options;
  constexpr std::int64_t kTriangle = PcaProblem::kN * (PcaProblem::kN + 1) / 2;
  constexpr std::int64_t kMatrix = PcaProblem::kN * PcaProblem::kP;
  options.stop.max_rounds = 101;
  const auto rounds =
      TypeParam::solve(this->channel_, this->problem_.objectives, this->problem_.start, options);
  EXPECT_EQ(rounds.termination, Termination::round_limit);
  EXPECT_LE(rounds.traffic.rounds, 101);
  // A round carries one matrix, a flood's round one number.
  const std::int64_t matrix = std::is_same_v<Options, GossipIrlsOptions> ? 4 * kTriangle
                              : std::is_same_v<Options, GossipNewtonOptions>
                                  ? 4 * (2 * kTriangle + kMatrix)
                                  : 8 * kMatrix;
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

TYPED_TEST(EverySolver, ASolveThatGoesOnGoesOnCounting) {
  typename TypeParam::Options options;
  options.step = 0.05;
  options.first_iteration = 41;
  options.stop.max_iterations = 60;
  options.trace.every = 1;
  const auto result =
      TypeParam::solve(this->channel_, this->problem_.objectives, this->problem_.start, options);
  EXPECT_EQ(result.iterations, 60);
  ASSERT_EQ(result.trace.size(), 21U);
  EXPECT_EQ(result.trace.front().iteration, 40);
  EXPECT_EQ(result.trace.back().iteration, 60);
  options.stop.max_iterations = 40;
  EXPECT_THROW(options.validate(), InputError);
}

/// Remembers which samples it was asked for.
class Asked final : public Objective<kAny, kAny> {
 public:
  int n() const override { return PcaProblem::kN; }
  std::uint32_t samples() const override { return 100; }
  double value(const Matrix&) const override { return 0; }
  void gradient(const Matrix&, Matrix& result) const override { result.setZero(); }
  void batch_gradient(const Matrix&, Batch batch, Matrix& result) const override {
    for (const std::uint32_t j : batch) samples_.push_back(j);
    result.setZero();
  }
  const std::vector<std::uint32_t>& asked() const { return samples_; }

 private:
  mutable std::vector<std::uint32_t> samples_;
};

/// What is drawn in iterations 1 to `last`, in one piece or in two.
template <class Options>
std::vector<std::uint32_t> drawn(std::int64_t last, std::int64_t break_after) {
  const Network network(Graph::path(1));
  LocalChannel channel(network);
  std::vector<std::unique_ptr<Objective<kAny, kAny>>> objectives;
  objectives.push_back(std::make_unique<Asked>());
  Options options;
  options.batch = 8;
  Eigen::MatrixXd x = PcaProblem(1).start;
  for (const std::int64_t end : {break_after, last}) {
    if (end < options.first_iteration) continue;
    options.stop.max_iterations = end;
    x = Solver<Options>::solve(channel, objectives, x, options).x[0];
    options.first_iteration = end + 1;
  }
  return static_cast<const Asked&>(*objectives[0]).asked();
}

TEST(GoingOn, DrawsTheSamplesOfAnUnbrokenSolve) {
  for (const int after : {3, 13, 26}) {  // within epochs and at the end of one
    EXPECT_EQ(drawn<DrsgdOptions>(40, after), drawn<DrsgdOptions>(40, 0)) << after;
    EXPECT_EQ(drawn<VrsgtOptions>(40, after), drawn<VrsgtOptions>(40, 0)) << after;
  }
}

/// A step of 1/k goes on falling.
TEST(GoingOn, KeepsToTheSchedule) {
  const Network network(Graph::ring(8));
  LocalChannel channel(network);
  const PcaProblem problem(8);
  DrsgdOptions options;
  options.schedule = StepSchedule::inverse;
  const auto moved = [&](std::int64_t first) {
    options.first_iteration = options.stop.max_iterations = first;
    const auto result = solve<Drsgd>(channel, problem.objectives, problem.start, options);
    return (mean(result.x) - problem.start).norm();
  };
  const std::int64_t epoch = (100 + options.batch - 1) / options.batch;
  EXPECT_NEAR(moved(9 * epoch + 1) / moved(1), 0.1, 0.05);
}

TEST(Dprgt, TheTrackersMeanIsTheGradientsMeanAtEveryIteration) {
  const Network network(Graph::star(8));
  LocalChannel channel(network);
  const PcaProblem problem(8);
  Dprgt<kAny, kAny> method(channel, problem.objectives, std::vector(8, problem.start), {});
  for (int k = 1; k <= 200; ++k) {
    method.iterate(k);
    ASSERT_LT((mean(method.trackers()) - mean(method.gradients())).norm(), 1e-12) << k;
  }
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

}  // namespace
}  // namespace roadplane
