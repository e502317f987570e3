#pragma once

#include "roadplane/geometry/rgb_image.hpp"
#include "roadplane/kitti/synthetic/scene.hpp"
#include "world.hpp"

namespace roadplane::kitti::synthetic {

/// The camera's picture of a frame: one primary and one sun ray per pixel, and more along edges.
RgbImage render(const World& world, const View& view, const SyntheticCalibration& calibration);

}  // namespace roadplane::kitti::synthetic
