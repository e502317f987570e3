#include "roadplane/solver/registry.hpp"

#include <gtest/gtest.h>

#include <set>

#include "pca_problem.hpp"
#include "roadplane/evaluation/recovery_error.hpp"

namespace roadplane {
namespace {

TEST(Registry, EveryNameGivesOptionsOfItsOwn) {
  std::set<std::size_t> seen;
  for (const std::string_view name : solver_names()) {
    const auto options = solver_by_name(name);
    ASSERT_TRUE(options) << name;
    seen.insert(options->index());
  }
  EXPECT_EQ(seen.size(), std::variant_size_v<AnySolverOptions>);
  EXPECT_TRUE(std::holds_alternative<RextraOptions>(*solver_by_name("rextra")));
  EXPECT_FALSE(solver_by_name("adam"));
  EXPECT_FALSE(solver_by_name(""));
}

// A solver is added: a header's worth, a source's worth, and a line.

template <int N, int P>
class GradientDescent;

struct GradientDescentOptions : SolverOptions {
  static constexpr std::string_view kName = "descent";
  template <int N, int P>
  using Method = GradientDescent<N, P>;
};

/// Decentralised gradient descent on the manifold: x+ = P_M(W x - alpha grad f_i(x)).
template <int N, int P>
class GradientDescent final : public Method<N, P> {
 public:
  using typename Method<N, P>::Matrix;
  using Options = GradientDescentOptions;

  GradientDescent(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
                  const Options& options)
      : Method<N, P>(channel, objectives, std::move(x_init), options.step),
        mixer_(channel, static_cast<int>(this->x_[0].size()), options.gossip),
        gradient_(this->zero()) {}

  void iterate(std::int64_t) override {
    for (int i = 0; i < this->hosted(); ++i) this->as_matrix(mixer_.outgoing(i)) = this->x_[i];
    mixer_.mix();
    for (int i = 0; i < this->hosted(); ++i) {
      this->riemannian_gradient(i, gradient_);
      this->residual_[i] = gradient_.norm();
      this->x_[i] = this->as_matrix(std::as_const(mixer_).mixed(i)) - this->step_ * gradient_;
      this->stiefel_.retract(this->x_[i]);
    }
  }
  std::int64_t start_samples() const override { return 0; }

 private:
  void start(std::int64_t) override {}
  Traffic iteration_traffic() const override { return mixer_.traffic(); }
  std::int64_t iteration_samples(std::int64_t) const override { return this->full_pass(); }

  Mixer mixer_;
  Matrix gradient_;
};

template <class... Options>
std::variant<Options..., GradientDescentOptions> with_one_more(
    std::type_identity<std::variant<Options...>>);
using Extended = decltype(with_one_more(std::type_identity<AnySolverOptions>{}));

TEST(Registry, ASolverIsAddedByALine) {
  EXPECT_EQ(Registry<Extended>::kNames.back(), "descent");
  EXPECT_EQ(Registry<Extended>::kNames.size(), solver_names().size() + 1);
  auto chosen = Registry<Extended>::by_name("descent");
  ASSERT_TRUE(chosen);
  std::visit(
      [](SolverOptions& options) {
        options.step = 0.02;
        options.stop.max_iterations = 2000;
      },
      *chosen);
  const test::PcaProblem problem(8);
  const Network network(Graph::ring(8));
  LocalChannel channel(network);
  Ledger ledger(channel);
  const auto result =
      solve_with(*chosen, channel, problem.objectives, std::vector(8, problem.start), ledger);
  EXPECT_EQ(result.iterations, 2000);
  for (const Eigen::MatrixXd& x : result.x) {
    EXPECT_LT(subspace_error(x, problem.principal), 0.05);  // a constant step is not exact
    EXPECT_GT(subspace_error(problem.start, problem.principal), 0.5);
  }
}

TEST(Registry, OptionsRunTheirOwnSolver) {
  const test::PcaProblem problem(8);
  const Network network(Graph::ring(8));
  const std::vector start(8, problem.start);
  DrgtaOptions options;
  options.stop.max_iterations = 20;
  LocalChannel channel(network);
  const auto direct = solve<Drgta>(channel, problem.objectives, problem.start, options);
  Ledger ledger(channel);
  const auto chosen =
      solve_with(AnySolverOptions(options), channel, problem.objectives, start, ledger);
  EXPECT_EQ(direct.x, chosen.x);
}

}  // namespace
}  // namespace roadplane
