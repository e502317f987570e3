#include "compare_run.hpp"

#include <cmath>

#include "roadplane/compare/paper_protocol.hpp"

namespace roadplane {

Budget budget_of(const ComparePlan& plan, const CompareMethod& method, std::uint64_t seed,
                 const SharedFrame& shared) {
  if (plan.budget) return *plan.budget;
  if (method.objective == "l3") return {Budget::Kind::messages, ComparePlan::kMessagesOfL3};
  CompareMethod vrsgt = method;
  vrsgt.solver = "vrsgt";
  vrsgt.settings = {};  // whatever the method's own step is, all get the same
  const MethodRun run = run_solver(shared, plan.segment_plan(vrsgt, seed));
  const auto messages = static_cast<double>(run.record.messages_per_link);
  return {Budget::Kind::messages, std::ceil(ComparePlan::kSlackOfRobust * messages)};
}

MethodRun run_method(const ComparePlan& plan, const CompareMethod& method, std::uint64_t seed,
                     const SharedFrame& shared, bool with_curve) {
  SegmentPlan own = plan.segment_plan(method, seed);
  if (method.is_baseline()) return run_baseline(shared, method.baseline, own);
  if (plan.paper() && method.objective == "l3") {
    apply_paper_protocol(largest_shard(shared), method.settings.step, own);
  } else {
    apply_budget(budget_of(plan, method, seed, shared), shared, own);
  }
  std::visit(
      [&](SolverOptions& o) {
        o.trace = {};
        o.trace.end = true;
        o.trace.minimiser = true;
        o.trace.mean = with_curve;
        if (with_curve) o.trace.growth = plan.config.common.trace_growth;
      },
      own.plane.solver);
  return run_solver(shared, own);
}

}  // namespace roadplane
