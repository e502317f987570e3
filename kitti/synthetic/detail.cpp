#include "detail.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "noise.hpp"
#include "objects.hpp"

namespace roadplane::kitti::synthetic {
namespace {

Detail facade(const Primitive& p, const Vec3& local, int face) {
  if (face == Face::top || face == Face::bottom) return Detail::plain;
  const bool end_wall = face == Face::left || face == Face::right;
  const double half = end_wall ? p.half.x() : p.half.y();
  const double along = (end_wall ? local.x() : local.y()) + half;
  const double height = local.z() + p.half.z() - kFoundationM;
  if (height < 0.45) return Detail::plinth;
  const double columns = std::max(1.0, std::floor(2 * half / 2.7));
  const double width = 2 * half / columns;
  const double column = std::floor(along / width);
  const double across = std::abs(along - (column + 0.5) * width);
  const double storey = std::floor(height / kStoreyM);
  const double level = height - storey * kStoreyM;
  if (2 * p.half.z() - kFoundationM - storey * kStoreyM < kStoreyM) return Detail::plain;
  const std::uint32_t dice = hash(static_cast<std::int32_t>(column), face, 0, p.look.variant);
  if (storey == 0 && !end_wall && dice % 4 == 0) {
    if (across < 0.52 && level < 2.15) return Detail::door;
    return across < 0.62 && level < 2.25 ? Detail::frame : Detail::plain;
  }
  if (end_wall && dice % 3 != 0) return Detail::plain;
  if (across > 0.64 || level > 2.40) return Detail::plain;
  if (level < 0.92) return level > 0.82 ? Detail::sill : Detail::plain;
  const bool border = across > 0.56 || across < 0.03 || level < 1.0 || level > 2.32;
  return border ? Detail::frame : Detail::glass;
}

Detail cabin(const Primitive& p, const Vec3& local, int face) {
  if (face == Face::top || face == Face::bottom) return Detail::plain;
  const double height = (local.z() + p.half.z()) / (2 * p.half.z());
  if (height < 0.08 || height > 0.90) return Detail::plain;
  if (face == Face::front || face == Face::rear) {
    const double edge = p.half.y() - p.inset_side * height;
    return std::abs(local.y()) < edge - 0.08 ? Detail::glass : Detail::plain;
  }
  const double ahead = p.half.x() - p.inset_front * height;
  const double behind = -p.half.x() + p.inset_rear * height;
  if (local.x() > ahead - 0.09 || local.x() < behind + 0.14) return Detail::plain;
  return std::abs(local.x() + 0.1) < 0.045 ? Detail::plain : Detail::glass;  // the middle pillar
}

Detail body_end(const Primitive& p, const Vec3& local, bool is_front) {
  const double across = std::abs(local.y());
  const double z = local.z();
  const double lamp = p.half.y() - (is_front ? 0.40 : 0.30);
  if (across < 0.26 && (is_front ? z > -0.17 && z < -0.06 : z > -0.06 && z < 0.05)) {
    return Detail::plate;
  }
  if (across > lamp && across < p.half.y() - 0.07 && z > 0.02 && z < (is_front ? 0.16 : 0.24)) {
    return is_front ? Detail::headlight : Detail::taillight;
  }
  if (z < -0.2) return Detail::dark;
  return is_front && across < 0.45 && z > 0.01 && z < 0.12 ? Detail::dark : Detail::plain;
}

Detail body(const Primitive& p, const Vec3& local, int face) {
  if (p.look.variant == 0) return Detail::plain;  // the boot lid
  if (face == Face::front || face == Face::rear) return body_end(p, local, face == Face::front);
  if (face != Face::left && face != Face::right) return Detail::plain;
  const double up = local.z() + 0.22;  // above the axles
  for (const double axle : {0.62, -0.60}) {
    if (std::hypot(local.x() - axle * p.half.x(), up) < 0.39) return Detail::dark;
  }
  if (local.z() < -0.24) return Detail::dark;
  for (const double seam : {0.36, -0.06, -0.42}) {
    if (std::abs(local.x() - seam * p.half.x()) < 0.008) return Detail::dark;
  }
  return Detail::plain;
}

}  // namespace

Detail detail_at(const Primitive& primitive, const Vec3& local, int face) {
  switch (primitive.look.material) {
    case Material::facade:
      return facade(primitive, local, face);
    case Material::car_cabin:
      return cabin(primitive, local, face);
    case Material::car_body:
      return body(primitive, local, face);
    case Material::tyre:
      return face == Face::top && std::hypot(local.x(), local.z()) < 0.21 ? Detail::rim
                                                                          : Detail::plain;
    default:
      return Detail::plain;
  }
}

}  // namespace roadplane::kitti::synthetic
