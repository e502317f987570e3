#include "roadplane/compare/paper_protocol.hpp"

#include <algorithm>

#include "roadplane/base/field_error.hpp"

namespace roadplane {

void apply_paper_protocol(const SharedFrame& shared, SegmentPlan& plan) {
  constexpr int kBatch = 16;
  if (!std::holds_alternative<L3Options>(plan.plane.objective)) return;
  std::size_t most = 1;
  for (const HomogeneousCloud& cloud : shared.clouds) most = std::max(most, cloud.size());
  const auto epoch = static_cast<std::int64_t>((most + kBatch - 1) / kBatch);
  StopOptions stop;
  if (auto* vrsgt = std::get_if<VrsgtOptions>(&plan.plane.solver)) {
    stop.max_iterations = 100 * epoch;
    vrsgt->batch = kBatch;
    vrsgt->inner_iterations = static_cast<int>(epoch) - 1;
    vrsgt->stop = stop;
  } else if (auto* drsgd = std::get_if<DrsgdOptions>(&plan.plane.solver)) {
    stop.max_iterations = 200 * epoch;
    drsgd->batch = kBatch;
    drsgd->schedule = StepSchedule::inverse_sqrt;
    drsgd->stop = stop;
  } else {
    throw FieldError("protocol", "solvers vrsgt and drsgd, the paper's", plan.method);
  }
}

}  // namespace roadplane
