#pragma once

#include "roadplane/compare/compare_config.hpp"
#include "roadplane/compare/method_run.hpp"

namespace roadplane {

/// A method on a frame with all that it is entitled to by the plan: the paper's schedule, or the
/// common budget. Without a budget, l3 gets ComparePlan::kRoundsOfL3 rounds, and the robust
/// objective as many as VRSGT takes with the schedule as it is, and a little slack.
MethodRun run_method(const ComparePlan& plan, const CompareMethod& method, std::uint64_t seed,
                     const SharedFrame& shared, bool with_curve);

}  // namespace roadplane
