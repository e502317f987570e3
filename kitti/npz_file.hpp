#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace roadplane::kitti {

/// The .npy file of the points in an archive of numpy.savez or savez_compressed: its only array, or
/// the one named points, xyz, pts, lidar, cloud or arr_0. Throws InputError that names the arrays
/// otherwise.
std::vector<std::byte> points_in_npz(std::span<const std::byte> archive, const std::string& where);

}  // namespace roadplane::kitti
