#include "light.hpp"

#include <algorithm>
#include <cmath>

#include "noise.hpp"
#include "texture.hpp"

namespace roadplane::kitti::synthetic {
namespace {

const Vec3 kSun = Vec3(-0.28, 0.60, 0.75).normalized();  // behind the camera, to its left
const Colour kSunLight(2.25F, 2.00F, 1.65F);
const Colour kSkyLight(0.40F, 0.50F, 0.70F);
const Colour kBounce(0.20F, 0.18F, 0.16F);  // from the ground onto walls and undersides
const Colour kHaze(0.60F, 0.72F, 0.88F);
constexpr double kHazeRangeM = 750;  // [m] over which contrast falls by e
constexpr double kLongestShadowM = 40;

Colour mix(const Colour& a, const Colour& b, double s) {
  return a + (b - a) * static_cast<float>(s);
}

/// Leaves point everywhere, and so hide the smooth solid that carries them.
Vec3 ruffled(const Surface& surface) {
  const Vec3 p = 4 * surface.point;
  const std::uint32_t salt = surface.look.variant;
  const Vec3 tilt(value_noise(p.x(), p.y(), p.z(), salt + 1),
                  value_noise(p.x(), p.y(), p.z(), salt + 2),
                  value_noise(p.x(), p.y(), p.z(), salt + 3));
  return (surface.normal + 1.8 * (tilt - Vec3::Constant(0.5))).normalized();
}

Colour clear_sky(double up) {
  const double s = std::pow(std::clamp(up, 0.0, 1.0), 0.45);
  return mix(kHaze, Colour(0.10F, 0.26F, 0.66F), std::min(1.0, 1.15 * s));
}

}  // namespace

Colour sky(const Vec3& d, std::uint32_t salt) {
  const double azimuth = std::atan2(d.y(), d.x());
  const double hill = 0.018 + 0.035 * fractal_noise(5 * azimuth + 40, 0, 3, salt + 31);
  if (d.z() < hill) return mix(Colour(0.16F, 0.24F, 0.22F), kHaze, 0.62);
  Colour colour = clear_sky(d.z());
  const double spread = 1 / (d.z() + 0.12);
  const double cloud = fractal_noise(1.3 * d.x() * spread, 2.2 * d.y() * spread, 5, salt + 33);
  const double cover = std::clamp((cloud - 0.55) * 4.5, 0.0, 0.8) * std::min(1.0, 6 * d.z());
  return mix(colour, Colour(0.95F, 0.95F, 0.96F), cover);
}

bool Light::in_shadow(const Surface& surface, const Vec3& sun) const {
  // Off the surface, or rounding makes it shadow itself.
  const Vec3 start = surface.point + 0.01 * surface.normal;
  return world_.blocked({start, shear_ * sun}, kLongestShadowM);
}

Colour Light::of_hit(const Ray& ray, const Vec3& direction, const Hit& hit, double jitter) const {
  const Surface surface = world_.surface(ray, hit);
  const Paint paint = paint_at(world_, hit, surface, hit.t);
  const bool leaf = surface.look.material == Material::leaf;
  const Vec3 n = leaf ? ruffled(surface) : surface.normal;
  const double facing = n.dot(kSun);
  Colour light = kSkyLight * static_cast<float>(0.55 + 0.45 * n.z()) +
                 kBounce * static_cast<float>(0.5 - 0.5 * n.z());
  const double angle = 6.2832 * jitter;
  const Vec3 sun =
      (kSun + 0.007 * Vec3(std::cos(angle), std::sin(angle), 0) * std::sqrt(jitter)).normalized();
  // Light shines through leaves, so they are never quite dark on the far side.
  const double direct = leaf ? 0.25 + 0.75 * std::max(0.0, facing) : facing;
  const bool lit = direct > 0 && !in_shadow(surface, sun);
  if (lit) light += kSunLight * static_cast<float>(direct);
  Colour colour = paint.albedo * light + paint.albedo * paint.glow;
  if (paint.gloss > 0) {
    const double cosine = -direction.dot(n);
    const Vec3 mirrored = direction + 2 * cosine * n;
    const double fresnel = 0.06 + 0.94 * std::pow(1 - std::clamp(cosine, 0.0, 1.0), 4);
    Colour seen = mirrored.z() > 0 ? clear_sky(mirrored.z()) : Colour(0.10F, 0.10F, 0.10F);
    if (lit) {
      const double glint = std::max(0.0, mirrored.dot(kSun));
      seen += kSunLight * static_cast<float>(4 * std::pow(glint, 90));
    }
    colour = mix(colour, seen, std::min(1.0, 1.5 * paint.gloss * fresnel));
  }
  return mix(kHaze, colour, std::exp(-hit.t / kHazeRangeM));
}

}  // namespace roadplane::kitti::synthetic
