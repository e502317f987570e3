#pragma once

#include <filesystem>

#include "roadplane/geometry/point.hpp"

namespace roadplane::kitti {

/// A scan of any known type, by its extension: .bin (velodyne), .pcd or .ply. Reflectance is kept
/// where the file has a field `intensity`, `reflectance` or `i`. Throws InputError.
Scan read_scan(const std::filesystem::path& path);

}  // namespace roadplane::kitti
