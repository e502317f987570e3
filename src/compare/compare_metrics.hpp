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

/// A method's metric over VRSGT's on the same objective, for every frame and seed that both had:
/// what differs from frame to frame cancels. A run that failed is infinitely worse; where VRSGT's
/// did, there is no pair.
struct Paired {
  std::size_t pairs = 0;
  double median = 1;
  double low = 1;            ///< a tenth of the ratios are below, and
  double high = 1;           ///< a tenth above
  std::string text() const;  ///< "1.2 times (0.9 to 3)"
};
/// Nothing for baselines, for VRSGT itself, and where it was not compared.
std::optional<Paired> against_vrsgt(const Comparison& comparison, std::size_t method,
                                    const Metric& metric);

/// Whether any of its runs came to rest. The cost of one that does not is its budget.
bool comes_to_rest(const Comparison& comparison, std::size_t method);
/// Whether the metric is a cost that such a method has used up.
bool is_budget(const Comparison& comparison, std::size_t method, const Metric& metric);

/// Without the objective: "VRSGT" of "VRSGT, l3".
std::string short_name(const CompareMethod& method);

/// A median as text; among runs that failed it is no number.
std::string number_text(const Metric& metric, double value);

struct RunCount {
  std::size_t runs = 0;
  std::size_t failed = 0;
};
std::string failed_text(const RunCount& count);  ///< "1 of 3"
RunCount count_runs(const Comparison& comparison, std::size_t method);
RunCount count_runs(const FrameComparison& frame, std::size_t method);

/// A method's parameters as numbers: what it was given, or what the program chose (the median).
std::string settings_text(const Comparison& comparison, std::size_t method);

}  // namespace roadplane
