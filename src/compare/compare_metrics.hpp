#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "roadplane/compare/compare_frames.hpp"
#include "roadplane/evaluation/statistics.hpp"

namespace roadplane {

/// A number that runs are compared by.
struct Metric {
  const char* key;
  const char* title;
  const char* format;                                  ///< of the number in a table
  std::optional<double> (*value)(const FrameRecord&);  ///< nothing where the frame has none
  bool for_baselines;                                  ///< whether a centralised method has it, too

  std::string text(const std::optional<double>& number) const;  ///< "-" for nothing
};

std::span<const Metric> metrics();
const Metric& metric(const std::string& key);

/// Over the seeds, of one method on one frame; runs that failed do not count.
std::optional<Spread> over_seeds(const Comparison& comparison, const FrameComparison& frame,
                                 std::size_t method, const Metric& metric);
/// Over the frames, of the means over the seeds.
std::optional<Spread> over_frames(const Comparison& comparison, std::size_t method,
                                  const Metric& metric);

}  // namespace roadplane
