#pragma once

#include <filesystem>

#include "roadplane/geometry/point.hpp"

/// The two functions of the module roadplane_pcl.so, under names that can be asked for. They throw
/// what kitti::read_pcd and kitti::read_ply throw.
extern "C" {
void roadplane_read_pcd(const std::filesystem::path& path, roadplane::Scan& scan);
void roadplane_read_ply(const std::filesystem::path& path, roadplane::Scan& scan);
}
