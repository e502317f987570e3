#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "roadplane/geometry/point.hpp"

namespace roadplane::kitti {

/// A frame annotated for the Noisy-DPCP experiments: a MATLAB file with `inliers` and `outliers`,
/// 4xN columns [x y z 1]. Together they are the whole scan; its order and reflectance are lost.
struct Annotation {
  Scan scan;                        ///< the inliers, then the outliers
  std::vector<std::uint8_t> mask;   ///< 1 for an inlier; one byte per point of `scan`
  std::optional<double> threshold;  ///< `gt_threshold`, the annotator's, where the file has it
};

/// Throws InputError for a missing variable, a wrong shape or type, and a damaged file.
Annotation read_annotation(const std::filesystem::path& path);

}  // namespace roadplane::kitti
