#include "roadplane/compare/paper_protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "roadplane/base/field_error.hpp"

namespace roadplane {

double PaperProtocol::drsgd_step() { return kDrsgdBeta / std::sqrt(kDrsgdEpochs) * kBatch; }

void apply_paper_protocol(std::size_t largest_shard, double step, SegmentPlan& plan) {
  using Paper = PaperProtocol;
  if (!std::holds_alternative<L3Options>(plan.plane.objective)) return;
  const auto batches =
      (std::max<std::size_t>(1, largest_shard) + Paper::kBatch - 1) / Paper::kBatch;
  const auto epoch = static_cast<std::int64_t>(batches);
  StopOptions stop;
  if (auto* vrsgt = std::get_if<VrsgtOptions>(&plan.plane.solver)) {
    stop.max_iterations = Paper::kVrsgtEpochs * epoch;
    vrsgt->batch = Paper::kBatch;
    vrsgt->inner_iterations = static_cast<int>(epoch) - 1;
    vrsgt->step = step > 0 ? step : Paper::kVrsgtStep;
    vrsgt->stop = stop;
  } else if (auto* drsgd = std::get_if<DrsgdOptions>(&plan.plane.solver)) {
    stop.max_iterations = Paper::kDrsgdEpochs * epoch;
    drsgd->batch = Paper::kBatch;
    drsgd->step = step > 0 ? step : Paper::drsgd_step();
    drsgd->stop = stop;
  } else {
    throw FieldError("protocol", "solvers vrsgt and drsgd, the paper's", plan.method);
  }
}

std::string paper_protocol_sentence() {
  using Paper = PaperProtocol;
  return fmt::format(
      "Protocol of the paper, on l3: batches of {}, VRSGT for {} epochs, DRSGD for {}, which is "
      "the same communication. Where the paper is silent, as DRSGD's published demo has it: a "
      "constant step {:g} / sqrt({}) on sums over a batch, {:.3g} on means. Our own choices: "
      "VRSGT's step ({:g} unless tuned or given), whitened data, a spectral start, the shards.",
      Paper::kBatch, Paper::kVrsgtEpochs, Paper::kDrsgdEpochs, Paper::kDrsgdBeta,
      Paper::kDrsgdEpochs, Paper::drsgd_step(), Paper::kVrsgtStep);
}

}  // namespace roadplane
