#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>

namespace roadplane::kitti::synthetic {

using Vec3 = Eigen::Vector3d;
using Colour = Eigen::Array3f;  ///< linear red, green, blue in 0..1

/// Street coordinates: x along the street from the ego vehicle, y to the left of the centre line,
/// z above the road plane. The slope is a shear between them and the level world: walls stay
/// upright, everything on the ground follows it, straight rays stay straight, and a ray's parameter
/// stays metres although its direction is no longer of unit length.
struct Ray {
  Vec3 origin;
  Vec3 direction;

  Vec3 at(double t) const { return origin + t * direction; }
};

enum class Material : std::uint8_t {
  asphalt,
  paint,
  parking,
  paving,
  kerb,
  platform,
  grass,
  facade,
  roof,
  car_body,
  car_cabin,
  underbody,
  tyre,
  bark,
  leaf,
  metal,
  cloth,
  skin,
  fence
};

/// What a surface is made of and which SemanticKITTI class it has.
struct Look {
  Material material = Material::asphalt;
  std::uint16_t label = 0;
  Colour colour = Colour::Constant(0.5F);
  std::uint32_t variant = 0;  ///< salt of its texture
};

enum class Shape : std::uint8_t {
  frustum,    ///< a box whose top may be smaller than its bottom: walls, roofs, car bodies
  ellipsoid,  ///< half axes `half`
  post,       ///< upright cylinder of radius half.x
  wheel       ///< cylinder along the local y axis, radius half.x, half width half.y
};

/// Faces of a frustum; of a post or wheel only `top` (its two caps) and `front` (its side).
enum Face : int { front, rear, left, right, top, bottom };

/// One solid, turned about the vertical.
struct Primitive {
  Shape shape = Shape::frustum;
  Look look;
  Vec3 centre = Vec3::Zero();  ///< [m]
  Vec3 half = Vec3::Ones();    ///< [m] half extents; of the bottom, for a frustum
  double cos_yaw = 1;
  double sin_yaw = 0;
  double inset_front = 0;  ///< [m] by which the top of a frustum is shorter at local +x
  double inset_rear = 0;   ///< [m] the same at local -x
  double inset_side = 0;   ///< [m] the same at local +y and -y
};

struct Bounds {
  std::array<double, 3> low;
  std::array<double, 3> high;
};

Bounds bounds_of(const Primitive& primitive);

/// Where a ray meets a primitive: t in metres, and which face.
struct PrimitiveHit {
  double t = 0;
  int face = Face::front;
};

/// The first hit with 0 < t < limit. Foliage and fences have holes that rays pass through.
bool intersect(const Primitive& primitive, const Ray& ray, double limit, PrimitiveHit& hit);

/// A point in the primitive's own axes, relative to its centre.
Vec3 to_local(const Primitive& primitive, const Vec3& point);

/// Outward unit normal, in street coordinates, at a point on `face`.
Vec3 normal_at(const Primitive& primitive, const Vec3& point, int face);

}  // namespace roadplane::kitti::synthetic
