#pragma once

#include <Eigen/Core>
#include <optional>

#include "roadplane/geometry/homogeneous_cloud.hpp"

namespace roadplane::kitti {

struct ReferencePlaneOptions {
  double first_scale = 0.2;         ///< [sine] Welsch scale of the first pass
  double last_scale = 0.005;        ///< [sine] and of the last
  double shrink = 0.8;              ///< factor from pass to pass, in (0, 1)
  int passes_per_scale = 3;         ///< reweighted passes before the scale shrinks
  double inlier_threshold = 0.011;  ///< [sine] points nearer take part in the final least squares
  int max_refinements = 50;         ///< least-squares passes; fewer if the inliers do not change
};

/// The plane that most of the cloud's ground agrees on, as a stand-in where no annotation exists:
/// iteratively reweighted least squares with the weights exp(-r^2 / 2 s^2) (Welsch) while s
/// shrinks, then total least squares on the points near the plane until they no longer change.
/// An estimate, never ground truth. Nothing if the cloud is degenerate.
std::optional<Eigen::Vector4d> reference_plane(const HomogeneousCloud& cloud,
                                               const ReferencePlaneOptions& options = {});

}  // namespace roadplane::kitti
