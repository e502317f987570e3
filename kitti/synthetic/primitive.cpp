#include "primitive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "noise.hpp"

namespace roadplane::kitti::synthetic {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The part of a line inside a convex solid, and the face it enters by.
struct Interval {
  double enter = -kInfinity;
  double leave = kInfinity;
  int face = Face::front;

  /// Keeps the part with slack + t * rate >= 0.
  void clip(double slack, double rate, int side) {
    if (rate < 0) {
      leave = std::min(leave, -slack / rate);
    } else if (rate > 0) {
      const double t = -slack / rate;
      if (t > enter) {
        enter = t;
        face = side;
      }
    } else if (slack < 0) {
      leave = -kInfinity;
    }
  }
};

struct LocalRay {
  double ox, oy, oz, dx, dy, dz;

  LocalRay(const Primitive& p, const Ray& ray) {
    const double x = ray.origin.x() - p.centre.x();
    const double y = ray.origin.y() - p.centre.y();
    const double c = p.cos_yaw;
    const double s = p.sin_yaw;
    ox = c * x + s * y;
    oy = -s * x + c * y;
    oz = ray.origin.z() - p.centre.z();
    dx = c * ray.direction.x() + s * ray.direction.y();
    dy = -s * ray.direction.x() + c * ray.direction.y();
    dz = ray.direction.z();
  }
};

Interval inside_frustum(const Primitive& p, const LocalRay& r) {
  Interval in;
  const double hx = p.half.x();
  const double hy = p.half.y();
  const double hz = p.half.z();
  in.clip(hz - r.oz, -r.dz, Face::top);
  in.clip(hz + r.oz, r.dz, Face::bottom);
  // A side leans inwards by its inset over the full height: x <= hx - inset (z + hz) / 2hz.
  const double ahead = p.inset_front / (2 * hz);
  const double behind = p.inset_rear / (2 * hz);
  const double beside = p.inset_side / (2 * hz);
  in.clip(hx - r.ox - ahead * (r.oz + hz), -r.dx - ahead * r.dz, Face::front);
  in.clip(hx + r.ox - behind * (r.oz + hz), r.dx - behind * r.dz, Face::rear);
  in.clip(hy - r.oy - beside * (r.oz + hz), -r.dy - beside * r.dz, Face::left);
  in.clip(hy + r.oy - beside * (r.oz + hz), r.dy - beside * r.dz, Face::right);
  return in;
}

/// |o + t d|^2 <= 1, in two or three scaled coordinates.
Interval inside_quadric(double dd, double od, double oo) {
  Interval in;
  const double discriminant = od * od - dd * (oo - 1);
  if (discriminant <= 0 || dd == 0) {
    if (dd != 0 || oo > 1) in.leave = -kInfinity;
    return in;
  }
  const double root = std::sqrt(discriminant);
  in.enter = (-od - root) / dd;
  in.leave = (-od + root) / dd;
  return in;
}

Interval inside_ellipsoid(const Primitive& p, const LocalRay& r) {
  const double ox = r.ox / p.half.x();
  const double oy = r.oy / p.half.y();
  const double oz = r.oz / p.half.z();
  const double dx = r.dx / p.half.x();
  const double dy = r.dy / p.half.y();
  const double dz = r.dz / p.half.z();
  return inside_quadric(dx * dx + dy * dy + dz * dz, ox * dx + oy * dy + oz * dz,
                        ox * ox + oy * oy + oz * oz);
}

Interval inside_cylinder(double oa, double ob, double da, double db, double radius, double along,
                         double rate, double half_length) {
  const double scale = 1 / (radius * radius);
  Interval in = inside_quadric((da * da + db * db) * scale, (oa * da + ob * db) * scale,
                               (oa * oa + ob * ob) * scale);
  in.clip(half_length - along, -rate, Face::top);
  in.clip(half_length + along, rate, Face::top);
  return in;
}

Interval inside(const Primitive& p, const LocalRay& r) {
  switch (p.shape) {
    case Shape::ellipsoid:
      return inside_ellipsoid(p, r);
    case Shape::post:
      return inside_cylinder(r.ox, r.oy, r.dx, r.dy, p.half.x(), r.oz, r.dz, p.half.z());
    case Shape::wheel:
      return inside_cylinder(r.ox, r.oz, r.dx, r.dz, p.half.x(), r.oy, r.dy, p.half.y());
    case Shape::frustum:
      break;
  }
  return inside_frustum(p, r);
}

/// Foliage is dense where it is seen face on and frayed towards its outline.
bool leaf_hole(const Primitive& p, const LocalRay& r, double t) {
  const double x = r.ox + t * r.dx;
  const double y = r.oy + t * r.dy;
  const double z = r.oz + t * r.dz;
  double facing = 0.9;  // a hedge is clipped
  if (p.shape == Shape::ellipsoid) {
    const Vec3 normal(x / (p.half.x() * p.half.x()), y / (p.half.y() * p.half.y()),
                      z / (p.half.z() * p.half.z()));
    facing = std::abs(normal.x() * r.dx + normal.y() * r.dy + normal.z() * r.dz) /
             std::sqrt(normal.squaredNorm() * (r.dx * r.dx + r.dy * r.dy + r.dz * r.dz));
  }
  return value_noise(8 * x, 8 * y, 8 * z, p.look.variant) > 0.34 + 0.68 * facing;
}

bool fence_hole(const Primitive& p, const LocalRay& r, double t) {
  const double along = (r.ox + t * r.dx) / 0.16;
  const double height = (r.oz + t * r.dz) / p.half.z();
  const bool rail = std::abs(std::abs(height) - 0.6) < 0.1;
  return !rail && along - std::floor(along) > 0.5;
}

}  // namespace

Bounds bounds_of(const Primitive& p) {
  Vec3 extent = p.half;
  if (p.shape == Shape::post) extent.y() = extent.x();
  if (p.shape == Shape::wheel) extent.z() = extent.x();
  const double x = std::abs(p.cos_yaw) * extent.x() + std::abs(p.sin_yaw) * extent.y();
  const double y = std::abs(p.sin_yaw) * extent.x() + std::abs(p.cos_yaw) * extent.y();
  const Vec3& c = p.centre;
  return {{c.x() - x, c.y() - y, c.z() - extent.z()}, {c.x() + x, c.y() + y, c.z() + extent.z()}};
}

bool intersect(const Primitive& primitive, const Ray& ray, double limit, PrimitiveHit& hit) {
  const LocalRay local(primitive, ray);
  const Interval in = inside(primitive, local);
  if (in.enter >= in.leave || in.enter >= limit || in.leave <= 0) return false;
  double t = in.enter > 0 ? in.enter : in.leave;
  if (primitive.look.material == Material::leaf && leaf_hole(primitive, local, t)) {
    t = in.leave;
    if (leaf_hole(primitive, local, t)) return false;
  }
  if (primitive.look.material == Material::fence && fence_hole(primitive, local, t)) return false;
  if (t >= limit) return false;
  hit = {t, in.face};
  return true;
}

Vec3 to_local(const Primitive& p, const Vec3& point) {
  const Vec3 q = point - p.centre;
  return {p.cos_yaw * q.x() + p.sin_yaw * q.y(), -p.sin_yaw * q.x() + p.cos_yaw * q.y(), q.z()};
}

namespace {

Vec3 local_normal(const Primitive& p, const Vec3& q, int face) {
  if (p.shape == Shape::ellipsoid) return q.cwiseQuotient(p.half.cwiseProduct(p.half));
  if (p.shape == Shape::post) {
    return face == Face::top ? Vec3(0, 0, q.z()) : Vec3(q.x(), q.y(), 0);
  }
  if (p.shape == Shape::wheel) {
    return face == Face::top ? Vec3(0, q.y(), 0) : Vec3(q.x(), 0, q.z());
  }
  const double height = 2 * p.half.z();
  switch (face) {
    case Face::front:
      return {height, 0, p.inset_front};
    case Face::rear:
      return {-height, 0, p.inset_rear};
    case Face::left:
      return {0, height, p.inset_side};
    case Face::right:
      return {0, -height, p.inset_side};
    case Face::top:
      return Vec3::UnitZ();
    default:
      return -Vec3::UnitZ();
  }
}

}  // namespace

Vec3 normal_at(const Primitive& p, const Vec3& point, int face) {
  const Vec3 n = local_normal(p, to_local(p, point), face);
  return Vec3(p.cos_yaw * n.x() - p.sin_yaw * n.y(), p.sin_yaw * n.x() + p.cos_yaw * n.y(), n.z())
      .normalized();
}

}  // namespace roadplane::kitti::synthetic
