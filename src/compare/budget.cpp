#include "roadplane/compare/budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane {
namespace {

constexpr const char* kNames[] = {"rounds", "samples", "seconds"};

/// What the plan's solver spends if the schedule has so many inner iterations in a stage.
double spent_with(int inner_iterations, const Budget& budget, const SharedFrame& shared,
                  SegmentPlan plan) {
  std::get<RobustOptions>(plan.dpcp.objective).inner_iterations = inner_iterations;
  std::visit([](SolverOptions& o) { o.trace = {}; }, plan.dpcp.solver);
  const int trials = budget.kind == Budget::Kind::seconds ? 3 : 1;  // clocks are noisy
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < trials; ++k) {
    least = std::min(least, budget.spent(run_solver(shared, plan).record));
  }
  return least;
}

/// The longest stages that the budget allows, beginning with the schedule's own. With shorter ones
/// the solve may take more phases to come to rest, so that what is spent need not fall with them.
int fitting_iterations(const Budget& budget, const SharedFrame& shared, const SegmentPlan& plan) {
  constexpr int kMost = 1 << 20;
  const auto fits = [&](int inner) {
    return spent_with(inner, budget, shared, plan) <= budget.amount;
  };
  int good = std::get<RobustOptions>(plan.dpcp.objective).inner_iterations;
  if (!fits(good)) {
    do --good;
    while (good > 0 && !fits(good));
    return std::max(good, 0);
  }
  int bad = std::max(1, 2 * good);
  for (; bad < kMost && fits(bad); bad *= 2) good = bad;
  while (bad - good > 1) {
    const int middle = good + (bad - good) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return good;
}

}  // namespace

Budget Budget::parse(const std::string& text) {
  const std::size_t equals = text.find('=');
  for (int k = 0; k < 3 && equals != std::string::npos; ++k) {
    if (text.substr(0, equals) != kNames[k]) continue;
    Budget budget{static_cast<Kind>(k)};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + equals + 1, end, budget.amount);
    const bool whole = budget.kind == Kind::seconds || budget.amount == std::floor(budget.amount);
    if (error == std::errc() && stop == end && budget.amount > 0 && budget.amount <= 1e12 &&
        whole) {
      return budget;
    }
  }
  throw FieldError("budget", "rounds=NUMBER, samples=NUMBER or seconds=TIME", in_quotes(text));
}

std::string Budget::to_string() const {
  return fmt::format("{}={:g}", kNames[static_cast<int>(kind)], amount);
}

double Budget::spent(const FrameRecord& record) const {
  switch (kind) {
    case Kind::rounds:
      return static_cast<double>(record.rounds);
    case Kind::samples:
      return static_cast<double>(record.samples);
    case Kind::seconds:
      return 1e-3 * (record.ms.solve + record.ms.whiten);
  }
  return 0;
}

void apply_budget(const Budget& budget, const SharedFrame& shared, SegmentPlan& plan) {
  if (auto* robust = std::get_if<RobustOptions>(&plan.dpcp.objective)) {
    robust->inner_iterations = fitting_iterations(budget, shared, plan);
  }
  std::visit(
      [&](SolverOptions& o) {
        StopOptions& stop = o.stop;
        stop.max_iterations = std::int64_t{1} << 40;
        if (budget.kind == Budget::Kind::rounds) stop.max_rounds = std::llround(budget.amount);
        if (budget.kind == Budget::Kind::samples) stop.max_samples = std::llround(budget.amount);
        if (budget.kind == Budget::Kind::seconds) {
          stop.max_seconds = std::max(1e-9, budget.amount - 1e-3 * shared.share_ms);
        }
      },
      plan.dpcp.solver);
}

}  // namespace roadplane
