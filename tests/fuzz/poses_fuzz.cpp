#include "file_in_memory.hpp"
#include "fleet_pose.hpp"

// Any poses.txt of an odometry sequence: of a frame within it, a rigid pose.
void roadplane::fuzz(std::span<const std::byte> content) {
  static const bool calibrated = [] {
    constexpr std::string_view kCalib = "Tr: 0 -1 0 0 0 0 -1 -0.08 1 0 0 -0.27\n";
    file_of_folder("calib.txt", std::as_bytes(std::span(kCalib)));
    return true;
  }();
  require(calibrated);
  kitti::Frame frame;
  frame.number = content.empty() ? 0 : std::to_integer<int>(content.front()) % 4;
  frame.scan = file_of_folder("poses.txt", content).parent_path() / "velodyne" / "000000.bin";
  const Eigen::Isometry3d pose = kitti::read_odometry_pose(frame);
  const Eigen::Matrix3d turn = pose.linear();
  require(pose.translation().allFinite());
  require((turn * turn.transpose() - Eigen::Matrix3d::Identity()).norm() < 1e-6);
}
