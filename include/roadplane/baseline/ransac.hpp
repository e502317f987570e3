#pragma once

#include <cstddef>
#include <cstdint>

#include "roadplane/baseline/result.hpp"
#include "roadplane/geometry/point.hpp"

namespace roadplane {

struct RansacOptions {
  double threshold_m = 0.15;  ///< [m] from the plane to an inlier
  int max_iterations = 1000;
  double probability = 0.99;  ///< of one sample free from outliers, at which it stops earlier
  bool optimise = true;       ///< least squares over the inliers at the end
  std::uint32_t seed = 1;     ///< same seed, same result

  /// Throws InputError naming the bad field and its range.
  void validate() const;
};

struct RansacResult : BaselineResult {
  std::size_t inliers = 0;  ///< points within the threshold of the plane
};

/// Random sample consensus (Fischler & Bolles, Comm. ACM 1981) as the Point Cloud Library does it:
/// pcl::RandomSampleConsensus with a plane model, then the least-squares refinement that
/// pcl::SACSegmentation calls "optimize coefficients". NaN, infinite and origin points are ignored.
/// `seconds` counts from the points in memory to w, PCL's own copy of them included; the search for
/// degenerate input before is ours and not counted. Sets PCL's console verbosity to silent.
RansacResult fit_ransac(PointSpan points, const RansacOptions& options = {});

}  // namespace roadplane
