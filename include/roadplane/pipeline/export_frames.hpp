#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "roadplane/kitti/frame.hpp"

namespace roadplane {

struct ExportResult {
  std::vector<std::filesystem::path> sequences;  ///< their folders
  std::vector<std::string> failed;               ///< a line for each frame that is left out
  std::vector<std::string> remarks;              ///< what else was left out
};

/// Writes frames in the layout of KITTI's odometry benchmark, which most tools read: below
/// `folder`/sequences/00, 01, ... for each of their sequences
///   velodyne/NNNNNN.bin   x y z reflectance in the sensor's frame; what is missing is (0, 0, 0)
///   pcd/NNNNNN.pcd        the same as a binary PCD file, if `pcd`
///   labels/, image_2/, calib.txt where the frames have them
///   times.txt             [s] since the first frame; names.txt: what each frame was called
/// Frames are counted from 0 in their order. Throws InputError if `folder` exists and is not an
/// empty folder, or cannot be written.
ExportResult export_frames(std::span<const kitti::Frame> frames,
                           const std::filesystem::path& folder, bool pcd,
                           const std::function<void()>& frame_done = {});

}  // namespace roadplane
