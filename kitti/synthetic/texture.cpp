#include "texture.hpp"

#include <algorithm>
#include <cmath>

#include "detail.hpp"
#include "ground.hpp"
#include "noise.hpp"

namespace roadplane::kitti::synthetic {
namespace {

/// A place on the ground, in street metres from the start of the drive.
struct Spot {
  double x, y, range_m;
  std::uint32_t salt;

  /// 1 near the camera, 0 where `size_m` is less than a pixel or so.
  double visible(double size_m) const {
    return std::clamp(1.6 - range_m / (350 * size_m), 0.0, 1.0);
  }
};

double fraction(double v) { return v - std::floor(v); }

/// 1 in the joints of a pattern of stones, each second row shifted by half a stone.
double joints(double along, double across, double length, double width, double gap) {
  const double row = std::floor(across / width);
  const double u = fraction(along / length + 0.5 * (row - 2 * std::floor(row / 2))) * length;
  const double v = fraction(across / width) * width;
  return u < gap || v < gap ? 1 : 0;
}

float shade(double base, double amount, double noise) {
  return static_cast<float>(base + amount * (noise - 0.5));
}

Colour asphalt(const Spot& s, Colour colour) {
  colour *= shade(1, 0.35, fractal_noise(0.25 * s.x, 0.9 * s.y, 3, s.salt));
  const double grain = 0.5 * s.visible(0.03);
  if (grain > 0) colour *= shade(1, grain, cell_noise(50 * s.x, 50 * s.y, 0, s.salt + 5));
  // Tyres polish two tracks in each lane.
  const double track = std::abs(std::abs(std::abs(s.y) - 1.65) - 0.75);
  colour *= static_cast<float>(1 - 0.13 * std::exp(-6 * track * track));
  // Repaired strips and tar-sealed cracks.
  if (cell_noise(s.x / 7, s.y / 1.65, 0, s.salt + 6) < 0.07) colour *= 0.78F;
  const double ridge = std::abs(fractal_noise(0.22 * s.x, 0.22 * s.y, 4, s.salt + 9) - 0.47);
  const double crack = 1 - ridge / 0.0035;
  if (crack > 0 && value_noise(0.07 * s.x, 0.1 * s.y, s.salt + 11) > 0.45) {
    colour *= static_cast<float>(1 - 0.5 * std::min(1.0, 2 * crack) * s.visible(0.12));
  }
  return colour;
}

Colour ground_colour(const Spot& s, const Look& look) {
  const double patchy = fractal_noise(0.6 * s.x, 0.6 * s.y, 3, s.salt + 21);
  switch (look.material) {
    case Material::asphalt:
      return asphalt(s, look.colour);
    case Material::paint:
      return look.colour * shade(0.9, 0.5, fractal_noise(2 * s.x, 4 * s.y, 3, s.salt + 3));
    case Material::parking:
      return look.colour *
             shade(1 - 0.4 * s.visible(0.1) * joints(s.x, s.y, 0.22, 0.11, 0.012), 0.4, patchy);
    case Material::kerb:
      return look.colour *
             shade(fraction(s.x) < 0.02 ? 1 - 0.5 * s.visible(0.1) : 1.0, 0.3, patchy);
    case Material::paving:
    case Material::platform:
      return look.colour *
             shade(1 - 0.35 * s.visible(0.12) * joints(s.x, s.y, 0.5, 0.5, 0.02), 0.35, patchy) *
             shade(1, 0.18, cell_noise(2 * s.x, 2 * s.y, 0, s.salt + 4));
    default: {
      const double blade = value_noise(9 * s.x, 9 * s.y, s.salt + 2);
      return look.colour * shade(1, 0.7, patchy) * shade(1, 0.7 * s.visible(0.2), blade);
    }
  }
}

Paint facade(const Primitive& p, const Vec3& local, int face, const Vec3& point) {
  const Colour wall = p.look.colour * shade(1, 0.16,
                                            fractal_noise(0.5 * (point.x() + point.y()),
                                                          0.5 * local.z(), 3, p.look.variant));
  switch (detail_at(p, local, face)) {
    case Detail::glass: {
      const std::uint32_t pane =
          hash(static_cast<std::int32_t>(std::floor((local.x() + local.y()) / 1.35)),
               static_cast<std::int32_t>(std::floor(local.z() / 1.5)), face, p.look.variant);
      const float curtain = pane % 3 == 0 ? 0.28F : 0.03F;
      return {Colour(curtain, curtain, curtain * 1.05F), 0.55F, 0};
    }
    case Detail::frame:
      return {Colour(0.72F, 0.72F, 0.70F), 0, 0};
    case Detail::sill:
      return {wall * 0.75F, 0, 0};
    case Detail::door:
      return {Colour(0.16F, 0.07F, 0.035F), 0.05F, 0};
    case Detail::plinth:
      return {Colour(0.24F, 0.23F, 0.22F), 0, 0};
    default:
      return {wall, 0, 0};
  }
}

Paint car(const Primitive& p, const Vec3& local, int face) {
  switch (detail_at(p, local, face)) {
    case Detail::glass:
      return {Colour(0.012F, 0.014F, 0.016F), 0.75F, 0};
    case Detail::dark:
      return {Colour::Constant(0.012F), 0, 0};
    case Detail::headlight:
      return {Colour(0.80F, 0.82F, 0.85F), 0.4F, 0.25F};
    case Detail::taillight:
      return {Colour(0.55F, 0.015F, 0.015F), 0.25F, 0.45F};
    case Detail::plate:
      return {Colour(0.80F, 0.80F, 0.78F), 0, 0};
    case Detail::rim:
      return {Colour(0.35F, 0.36F, 0.37F), 0.2F, 0};
    default:
      return {p.look.colour, p.look.material == Material::tyre ? 0.0F : 0.45F, 0};
  }
}

Paint solid(const Primitive& p, const Vec3& point, int face) {
  const Vec3 local = to_local(p, point);
  const Look& look = p.look;
  switch (look.material) {
    case Material::facade:
      return facade(p, local, face, point);
    case Material::car_body:
    case Material::car_cabin:
    case Material::tyre:
      return car(p, local, face);
    case Material::leaf: {
      const double tuft =
          value_noise(5 * local.x(), 5 * local.y(), 5 * local.z(), look.variant + 3);
      const double leaf = cell_noise(14 * local.x(), 14 * local.y(), 14 * local.z(), look.variant);
      return {look.colour * shade(0.95, 1.1, tuft) * shade(1, 0.6, leaf), 0, 0};
    }
    case Material::roof: {
      const double row = fraction(local.z() / 0.22);
      return {look.colour * shade(row < 0.15 ? 0.75 : 1.0, 0.3,
                                  cell_noise(4 * local.y(), local.z() / 0.22, 0, look.variant)),
              0, 0};
    }
    case Material::bark:
      return {look.colour * shade(1, 0.9,
                                  value_noise(18 * std::atan2(local.y(), local.x()), 3 * local.z(),
                                              look.variant)),
              0, 0};
    case Material::metal:
      return {look.colour, 0.12F, 0};
    default:
      return {look.colour, 0, 0};
  }
}

}  // namespace

Paint paint_at(const World& world, const Hit& hit, const Surface& surface, double range_m) {
  if (hit.primitive != nullptr) return solid(*hit.primitive, surface.point, hit.face);
  const Spot spot{surface.point.x() + world.street_x(), surface.point.y(), range_m, world.salt()};
  return {ground_colour(spot, surface.look), 0, 0};
}

}  // namespace roadplane::kitti::synthetic
