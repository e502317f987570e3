#pragma once

#include <Eigen/Geometry>
#include <filesystem>
#include <optional>

#include "roadplane/geometry/plane.hpp"
#include "roadplane/kitti/frame.hpp"

namespace roadplane::kitti {

/// What a vehicle's `.yaml` says of its pose.
struct PoseFile {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  std::optional<Eigen::Isometry3d> true_pose{};
  std::optional<Plane> true_ground{};
};
PoseFile read_pose_file(const std::filesystem::path& path);

/// The pose of an odometry frame's LiDAR, in that of the sequence's first frame.
Eigen::Isometry3d read_odometry_pose(const Frame& frame);

}  // namespace roadplane::kitti
