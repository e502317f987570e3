#pragma once

#include "roadplane/geometry/lens.hpp"
#include "roadplane/geometry/rgb_image.hpp"

namespace roadplane::viz {

/// The picture as a camera without distortion would have taken it; black where it sees nothing.
RgbImage rectified(const RgbImage& picture, const Lens& lens);

}  // namespace roadplane::viz
