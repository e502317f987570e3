#pragma once

#include <filesystem>
#include <functional>

#include "roadplane/geometry/rgb_image.hpp"
#include "roadplane/kitti/synthetic/options.hpp"

namespace roadplane::kitti {

/// Writes a picture to a file whose name ends in .png.
using WriteImage = std::function<void(const std::filesystem::path&, const RgbImage&)>;
/// Called after each frame with the number of frames done and to do.
using SequenceProgress = std::function<void(int done, int total)>;

/// Writes a synthetic sequence in KITTI's odometry layout and returns its folder,
/// `folder`/sequences/00, with velodyne/, image_2/, labels/, calib.txt, times.txt, and the exact
/// road plane of each frame in planes.json:
///   {"frames": {"000000": {"normal": [nx, ny, nz], "offset_m": d}, ...}}
/// Each file appears whole or not at all. Without `write_image` there is no image_2/. Throws
/// InputError if `folder` exists and is not an empty folder, or cannot be written.
std::filesystem::path write_sequence(const SceneOptions& options,
                                     const std::filesystem::path& folder,
                                     const WriteImage& write_image,
                                     const SequenceProgress& progress = {});

}  // namespace roadplane::kitti
