#pragma once

#include <filesystem>

#include "roadplane/geometry/point.hpp"

namespace roadplane::kitti {

/// What PCL reads, after the project's own check of the file. Throws InputError.
Scan read_pcd(const std::filesystem::path& path);
Scan read_ply(const std::filesystem::path& path);

}  // namespace roadplane::kitti
