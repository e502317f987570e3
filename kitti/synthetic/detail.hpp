#pragma once

#include "primitive.hpp"

namespace roadplane::kitti::synthetic {

/// Parts that are drawn on a solid rather than modelled; camera and LiDAR agree on them.
enum class Detail {
  plain,
  glass,
  frame,
  door,
  sill,
  plinth,
  headlight,
  taillight,
  plate,
  dark,
  rim
};

/// What is at a point (in the primitive's own axes) of a face.
Detail detail_at(const Primitive& primitive, const Vec3& local, int face);

}  // namespace roadplane::kitti::synthetic
