#pragma once

#include "roadplane/compare/method_run.hpp"

namespace roadplane {

/// The schedule of the paper's Table 2: batches of 16; VRSGT for 100 epochs with a constant step,
/// DRSGD for 200 epochs, which is the same communication, with a step that falls with the square
/// root of the epoch. An epoch is as many iterations as batches fill the largest shard; VRSGT's
/// begins with a full gradient. No early end. The step is the plan's. Throws FieldError naming
/// `protocol` for another solver, and leaves the robust objective alone.
void apply_paper_protocol(const SharedFrame& shared, SegmentPlan& plan);

}  // namespace roadplane
