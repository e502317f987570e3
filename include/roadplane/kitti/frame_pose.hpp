#pragma once

#include <Eigen/Geometry>
#include <optional>

#include "roadplane/kitti/frame.hpp"

namespace roadplane::kitti {

/// Where the sensor was, in a frame that all frames of the sequence share: by `poses.txt` in an
/// odometry sequence or `poses/SS.txt` beside them, or by the `lidar_pose` of a `.yaml` beside the
/// scan; nothing where there is neither. Throws InputError for a bad one.
std::optional<Eigen::Isometry3d> load_pose(const Frame& frame);

}  // namespace roadplane::kitti
