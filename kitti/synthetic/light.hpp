#pragma once

#include <cstdint>

#include "world.hpp"

namespace roadplane::kitti::synthetic {

/// Colour of the sky, haze and far hills in a direction of the level world.
Colour sky(const Vec3& direction, std::uint32_t salt);

/// Light that reaches the camera along a ray. `direction` is the ray's in the level world; `jitter`
/// in 0..1 chooses a point of the sun's disc, which softens the edges of shadows.
class Light {
 public:
  explicit Light(const World& world) : world_(world), shear_(world.slope().shear()) {}

  Colour of_hit(const Ray& ray, const Vec3& direction, const Hit& hit, double jitter) const;
  Colour of_sky(const Vec3& direction) const { return sky(direction, world_.salt()); }

 private:
  bool in_shadow(const Surface& surface, const Vec3& sun) const;

  const World& world_;
  Eigen::Matrix3d shear_;
};

}  // namespace roadplane::kitti::synthetic
