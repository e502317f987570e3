#include "file_in_memory.hpp"
#include "fleet_pose.hpp"

// Any content of a vehicle's YAML: a rigid pose.
void roadplane::fuzz(std::span<const std::byte> content) {
  const FileInMemory file(content);
  const kitti::PoseFile found = kitti::read_pose_file(file.path());
  const Eigen::Matrix3d turn = found.pose.linear();
  require(found.pose.translation().allFinite());
  require((turn * turn.transpose() - Eigen::Matrix3d::Identity()).norm() < 1e-6);
}
