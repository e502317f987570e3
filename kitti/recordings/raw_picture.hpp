#pragma once

#include <string>

#include "messages.hpp"
#include "roadplane/geometry/rgb_image.hpp"

namespace roadplane::kitti {

/// The pixels of a sensor_msgs/Image: rgb8, bgr8, rgba8, bgra8, mono8, mono16 (as 8 bits), and
/// bayer_*8, each pixel of which takes the colours of the four around it. Throws InputError.
RgbImage rgb_image(const ImageMessage& message, const std::string& where);

}  // namespace roadplane::kitti
