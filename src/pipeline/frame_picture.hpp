#pragma once

#include <optional>
#include <string>

#include "roadplane/geometry/projection.hpp"
#include "roadplane/geometry/rgb_image.hpp"
#include "roadplane/kitti/frame.hpp"

namespace roadplane {

/// A frame's camera picture, without distortion, and where points of the sensor's frame are on it.
struct FramePicture {
  std::string where;  ///< for messages
  RgbImage photo;
  Projection projection;
};

/// Of files beside the scan or of a camera in the same recording; nothing where there is no picture
/// or no calibration. Throws InputError if one of them cannot be read.
std::optional<FramePicture> load_picture(const kitti::Frame& frame);

}  // namespace roadplane
