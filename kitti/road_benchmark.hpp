#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace roadplane::kitti {

/// Whether a folder is a split of KITTI's road benchmark (velodyne and gt_image_2), or holds scans
/// and truths of it beside each other.
bool is_road_split(const std::filesystem::path& folder);

/// The truth of a scan's road: um_road_000000.png of um_000000.
std::optional<std::filesystem::path> find_road_picture(const std::filesystem::path& folder,
                                                       std::string stem);

}  // namespace roadplane::kitti
