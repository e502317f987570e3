#include "recording_fuzz.hpp"

// Any content of a bag of ROS 1.
void roadplane::fuzz(std::span<const std::byte> content) {
  const FileInMemory file(content);
  read_all(*kitti::open_ros1_bag(file.path()));
}
