#pragma once

#include "roadplane/compare/compare_config.hpp"
#include "roadplane/compare/method_run.hpp"

namespace roadplane {

/// What all methods may spend on a frame. Where nothing is asked for, l3 gets
/// ComparePlan::kMessagesOfL3 messages per link, and the robust objective as many as VRSGT takes
/// with the schedule as it is, and a little slack.
Budget budget_of(const ComparePlan& plan, const CompareMethod& method, std::uint64_t seed,
                 const SharedFrame& shared);

/// A method on a frame with all that it is entitled to by the plan: the paper's schedule, or the
/// common budget.
MethodRun run_method(const ComparePlan& plan, const CompareMethod& method, std::uint64_t seed,
                     const SharedFrame& shared, bool with_curve);

}  // namespace roadplane
