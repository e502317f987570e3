#pragma once

#include "world.hpp"

namespace roadplane::kitti::synthetic {

/// How a surface answers to light.
struct Paint {
  Colour albedo;
  float gloss = 0;  ///< 0 (matt) .. 1 (mirrors the sky like glass or lacquer)
  float glow = 0;   ///< own light, as a share of the albedo
};

/// The painted-on look of a hit. `range_m` fades out texture finer than a pixel.
Paint paint_at(const World& world, const Hit& hit, const Surface& surface, double range_m);

}  // namespace roadplane::kitti::synthetic
