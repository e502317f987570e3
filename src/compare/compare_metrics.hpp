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
/// Over all runs, frames and seeds. A run that failed is as bad as can be: of an error infinite, of
/// an overlap 0. What it cost does not count.
std::optional<Spread> over_runs(const Comparison& comparison, std::size_t method,
                                const Metric& metric);

struct RunCount {
  std::size_t runs = 0;
  std::size_t failed = 0;
};
RunCount count_runs(const Comparison& comparison, std::size_t method);
RunCount count_runs(const FrameComparison& frame, std::size_t method);

/// A method's parameters as numbers: what it was given, or what the program chose (the median).
std::string settings_text(const Comparison& comparison, std::size_t method);

}  // namespace roadplane
