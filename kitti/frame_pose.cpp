#include "roadplane/kitti/frame_pose.hpp"

#include "fleet_pose.hpp"
#include "folder.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;

bool has_odometry_poses(const Frame& frame) {
  const fs::path folder = frame.scan.parent_path();
  if (frame.recorded || folder.filename() != "velodyne") return false;
  const fs::path sequence = folder.parent_path();
  const std::string file = sequence.filename().string() + ".txt";
  return is_file(sequence / "poses.txt") ||
         is_file(sequence.parent_path().parent_path() / "poses" / file);
}

/// In the frame of the scan's file.
std::optional<Eigen::Isometry3d> pose_of_file(const Frame& frame) {
  if (has_odometry_poses(frame)) return read_odometry_pose(frame);
  const fs::path yaml = fs::path(frame.scan).replace_extension(".yaml");
  if (!frame.recorded && is_file(yaml)) return read_pose_file(yaml).pose;
  return std::nullopt;
}

}  // namespace

std::optional<Eigen::Isometry3d> load_pose(const Frame& frame) {
  auto pose = pose_of_file(frame);
  if (pose && frame.reading.to_sensor) pose = *pose * frame.reading.to_sensor->inverse();
  return pose;
}

}  // namespace roadplane::kitti
