// No solver exceeds a budget, whatever it is of; one that is too small is named with what would do.

#include <gtest/gtest.h>

#include "pca_problem.hpp"
#include "roadplane/solver/registry.hpp"

namespace roadplane {
namespace {

using Result = SolveResult<Eigen::Dynamic, Eigen::Dynamic>;

class Budgets : public testing::TestWithParam<std::string_view> {
 protected:
  Result solve_within(const StopOptions& stop) {
    AnySolverOptions chosen = solver_by_name(GetParam()).value();
    std::visit(
        [&](SolverOptions& options) {
          options.step = 0.02;
          options.stop = stop;
          options.trace.end = true;
        },
        chosen);
    LocalChannel channel(network_);
    Ledger ledger(channel);
    return solve_with(chosen, channel, problem_.objectives, std::vector(8, problem_.start), ledger);
  }
  double bytes_of(const Result& result) const {
    return result.traffic.bytes_per_agent(network_.graph);
  }

  test::PcaProblem problem_{8};
  Network network_{Graph::ring(8)};
};

TEST_P(Budgets, AreNeverExceededAndUsedToTheLastIteration) {
  for (std::int64_t budget = 60; budget < 200; ++budget) {
    const Result result = solve_within({.max_rounds = budget});
    EXPECT_EQ(result.termination, Termination::round_limit);
    EXPECT_LE(result.traffic.rounds, budget);
    const auto iteration =
        (result.traffic.rounds - 4) / std::max<std::int64_t>(1, result.iterations);
    EXPECT_GT(result.traffic.rounds, budget - 2 * (iteration + 4)) << budget;  // 4 is a flood
  }
  const Result few = solve_within({.max_samples = 2000});
  EXPECT_EQ(few.termination, Termination::sample_limit);
  EXPECT_LE(few.samples, 2000);
  const Result small = solve_within({.max_bytes = 100'000});
  EXPECT_EQ(small.termination, Termination::byte_limit);
  EXPECT_LE(bytes_of(small), 100'000);
}

TEST_P(Budgets, ThatAreTooSmallAreNamedWithWhatWouldDo) {
  const Result nothing = solve_within({.max_rounds = 1});
  ASSERT_EQ(nothing.termination, Termination::budget_too_small);
  EXPECT_EQ(nothing.iterations, 0);
  const std::int64_t needed = std::stoll(nothing.needs);
  EXPECT_EQ(solve_within({.max_rounds = needed - 1}).termination, Termination::budget_too_small);
  const Result one = solve_within({.max_rounds = needed});
  EXPECT_EQ(one.iterations, 1);
  EXPECT_EQ(one.traffic.rounds, needed);

  const Result blind = solve_within({.max_samples = 1});
  ASSERT_EQ(blind.termination, Termination::budget_too_small);
  const std::int64_t samples = std::stoll(blind.needs);
  EXPECT_EQ(solve_within({.max_samples = samples}).samples, samples);
}

TEST_P(Budgets, TimeIsKept) {
  constexpr double kBudget = 0.1;  // an emulator takes up to a third of it for an iteration
  const Result result =
      solve_within({.max_iterations = std::int64_t{1} << 40, .max_seconds = kBudget});
  EXPECT_EQ(result.termination, Termination::time_limit);
  EXPECT_LT(result.seconds, 2 * kBudget);  // on a busy machine an iteration may take its time
}

INSTANTIATE_TEST_SUITE_P(OfEverySolver, Budgets,
                         testing::ValuesIn(solver_names().begin(), solver_names().end()),
                         [](const auto& name) {
                           std::string text(name.param);
                           std::replace(text.begin(), text.end(), '-', '_');
                           return text;
                         });

/// Checks take the same share of everybody's rounds.
TEST_P(Budgets, ChecksCostEverybodyTheSame) {
  AnySolverOptions chosen = solver_by_name(GetParam()).value();
  std::visit(
      [&](SolverOptions& options) {
        options.step = 0.02;
        options.stop = {.max_rounds = 3000};
      },
      chosen);
  LocalChannel channel(network_);
  Ledger ledger(channel);
  const Result result =
      solve_with(chosen, channel, problem_.objectives, std::vector(8, problem_.start), ledger);
  const Expense one = result.opening;  // a flood, an iteration, a flood
  const auto iteration = one.traffic.rounds - 2 * network_.flood_rounds();
  const double checks = 1 - static_cast<double>(iteration * result.iterations) /
                                static_cast<double>(result.traffic.rounds);
  EXPECT_GT(checks, 0.08);
  EXPECT_LT(checks, 0.12);
}

}  // namespace
}  // namespace roadplane
