#pragma once

#include <filesystem>
#include <vector>

namespace roadplane::kitti {

/// The files of a bag of ROS 2 in the order of its metadata.yaml.
struct BagMetadata {
  std::vector<std::filesystem::path> files;  ///< absolute where the folder is
};

/// Throws InputError for a file that is no such metadata.
BagMetadata read_bag_metadata(const std::filesystem::path& folder);

}  // namespace roadplane::kitti
