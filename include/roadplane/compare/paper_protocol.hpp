#pragma once

#include <cstddef>
#include <string>

#include "roadplane/pipeline/segment_config.hpp"

namespace roadplane {

/// How the paper solves DPCP on road scans (its Table 2), and what its authors' rival published
/// where the paper is silent. What neither says is this project's choice, and named.
struct PaperProtocol {
  static constexpr int kBatch = 16;         ///< the paper
  static constexpr int kVrsgtEpochs = 100;  ///< the paper
  static constexpr int kDrsgdEpochs = 200;  ///< the paper: the same communication
  /// DRSGD's published demo: a constant step 0.05 / sqrt(epochs) on the sum over a batch.
  static constexpr double kDrsgdBeta = 0.05;
  /// Neither says. The largest at which no kind of shards diverges.
  static constexpr double kVrsgtStep = 0.02;

  /// DRSGD's step on the mean over a batch, which is what solvers take.
  static double drsgd_step();
};

/// Gives the plan that schedule: batches of 16; VRSGT for 100 epochs and DRSGD for 200, both with a
/// constant step (the plan's own, if one was asked for: `step` > 0). An epoch is as many iterations
/// as batches fill the largest shard; VRSGT's begins with a full gradient. No early end. Throws
/// FieldError naming `protocol` for another solver, and leaves the robust objective alone.
void apply_paper_protocol(std::size_t largest_shard, double step, SegmentPlan& plan);

/// The same in words, for tables.
std::string paper_protocol_sentence();

}  // namespace roadplane
