#pragma once

#include <optional>
#include <span>

#include "roadplane/compare/compare_frames.hpp"
#include "roadplane/evaluation/statistics.hpp"
#include "roadplane/results/metrics.hpp"

namespace roadplane {

/// What methods are compared by, in the order of the columns.
std::span<const Metric* const> compared_metrics();

/// The scoring of all runs' labels.
std::string scoring_of(const Comparison& comparison);

/// Over the seeds, of one method on one frame; runs that failed do not count.
std::optional<Spread> over_seeds(const Comparison& comparison, const FrameComparison& frame,
                                 std::size_t method, const Metric& metric);
/// Over the frames, of the means over the seeds.
std::optional<Spread> over_frames(const Comparison& comparison, std::size_t method,
                                  const Metric& metric);

}  // namespace roadplane
