#include "lidar.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "detail.hpp"
#include "noise.hpp"
#include "roadplane/base/counter_random.hpp"

namespace roadplane::kitti::synthetic {
namespace {

constexpr int kRings = 64;
constexpr double kMaxRangeM = 80;
constexpr int kProbeSteps = 72;
constexpr int kMaxSteps = 20000;
constexpr std::uint32_t kRingStreams = 1000;  // agents of the generator, one per ring
// reflectance * cos(incidence) / range^2 below which no echo is heard; the road ends at about 50 m.
constexpr double kWeakestEcho = 2.6e-6;

/// HDL-64E: 32 beams from +2 deg every 1/3 deg, then 32 from -8.83 deg every 1/2 deg.
double elevation_rad(int ring) {
  const double degrees = ring < 32 ? 2.0 - ring / 3.0 : -8.83 - (ring - 32) / 2.0;
  return degrees * std::numbers::pi / 180;
}

Vec3 direction(int ring, double azimuth_rad) {
  const double e = elevation_rad(ring);
  return {std::cos(e) * std::cos(azimuth_rad), std::cos(e) * std::sin(azimuth_rad), std::sin(e)};
}

double reflectance_of(Material material) {
  switch (material) {
    case Material::paint:
      return 0.62;
    case Material::asphalt:
      return 0.24;
    case Material::parking:
      return 0.28;
    case Material::paving:  // unless the options say otherwise
    case Material::platform:
      return 0.33;
    case Material::kerb:
    case Material::leaf:
    case Material::grass:
      return 0.38;
    case Material::facade:
    case Material::cloth:
    case Material::skin:
      return 0.45;
    case Material::metal:
      return 0.50;
    case Material::car_body:
    case Material::car_cabin:
      return 0.25;
    case Material::tyre:
    case Material::underbody:
      return 0.06;
    case Material::roof:
    case Material::bark:
    case Material::fence:
      return 0.34;
  }
  return 0.3;
}

double reflectance_of(Material material, Detail detail) {
  if (detail == Detail::plate || detail == Detail::taillight) return 0.95;
  if (detail == Detail::glass || detail == Detail::dark) return 0.08;
  return reflectance_of(material);
}

double shares_sum(const PerClass& v) { return v[0] + v[1] + v[2]; }

/// The factor by which each class is thinned to reach `wanted` shares; the scarcest keeps all.
PerClass thinning(const PerClass& found, const PerClass& wanted) {
  PerClass keep{1, 1, 1};
  double largest = 0;
  for (std::size_t c = 0; c < kPointClasses; ++c) {
    keep[c] = found[c] > 0 ? wanted[c] / found[c] : 0;
    largest = std::max(largest, keep[c]);
  }
  for (double& k : keep) k = largest > 0 ? k / largest : 1;
  return keep;
}

}  // namespace

PointClass class_of(std::uint16_t label) {
  if (label == 40 || label == 44 || label == 60) return PointClass::road;
  return label == 49 ? PointClass::second_plane : PointClass::other;
}

double Lidar::on_rough_ground(const Ray& ray, const Hit& hit, const Surface& surface) const {
  const double x = surface.point.x() + world_.street_x();
  double height = options_.roughness_m * unit_roughness(x, surface.point.y(), world_.salt());
  if (surface.look.material == Material::grass) {
    height += 0.03 * unit_roughness(3 * x, 3 * surface.point.y(), world_.salt() + 7);
  }
  // Along the ray until it is that far from the ground; a street height is stretched by the slope.
  const Height relief = world_.relief().at(surface.point.x(), surface.point.y());
  const double rate =
      ray.direction.z() - relief.ahead * ray.direction.x() - relief.left * ray.direction.y();
  return hit.t + height * world_.slope().stretch() / rate;
}

bool Lidar::fire(const Vec3& sensor_direction, Return& out) const {
  const Ray ray = view_.ray(Vec3::Zero(), sensor_direction);
  Hit hit;
  if (!world_.trace(ray, kMaxRangeM, hit)) return false;
  const Surface surface = world_.surface(ray, hit);
  Detail detail = Detail::plain;
  if (hit.primitive != nullptr) {
    detail = detail_at(*hit.primitive, to_local(*hit.primitive, surface.point), hit.face);
  }
  const double grain =
      0.8 + 0.4 * cell_noise(20 * (surface.point.x() + world_.street_x()), 20 * surface.point.y(),
                             20 * surface.point.z(), world_.salt());
  const double cosine = std::abs((view_.to_level * sensor_direction).dot(surface.normal));
  const bool sidewalk = surface.look.material == Material::paving;
  const double reflectance = grain * (sidewalk ? options_.sidewalk_reflectance
                                               : reflectance_of(surface.look.material, detail));
  if (reflectance * cosine < kWeakestEcho * hit.t * hit.t) return false;
  // As KITTI stores it: hundredths.
  out.reflectance =
      static_cast<float>(std::min(99.0, std::round(100 * reflectance * (0.75 + 0.25 * cosine)))) /
      100.0F;
  out.loss = detail == Detail::glass ? 0.75 : 0;
  out.label = surface.look.label;
  out.range_m = hit.t;
  if (hit.primitive == nullptr && surface.look.material != Material::kerb) {
    out.range_m = on_rough_ground(ray, hit, surface);
  }
  return out.range_m > 0.5;
}

PerClass Lidar::probe(int steps) const {
  PerClass sum{};
  Return echo;
  for (int ring = 0; ring < kRings; ++ring) {
    for (int step = 0; step < steps; ++step) {
      // The golden ratio spreads the azimuths of neighbouring rings evenly.
      const double offset = ring * 0.618034 - std::floor(ring * 0.618034);
      const double azimuth = 2 * std::numbers::pi * (step + offset) / steps;
      if (!fire(direction(ring, azimuth), echo)) continue;
      sum[static_cast<std::size_t>(class_of(echo.label))] += 1 - echo.loss;
    }
  }
  for (double& s : sum) s /= static_cast<double>(kRings) * steps;
  return sum;
}

LidarScan Lidar::scan() const {
  const PerClass found = probe(kProbeSteps);
  const double second = options_.second_plane_share;
  const PerClass wanted{1 - options_.outlier_share, second, options_.outlier_share - second};
  const PerClass keep = thinning(found, wanted);
  PerClass kept{};
  for (std::size_t c = 0; c < kPointClasses; ++c) kept[c] = found[c] * keep[c];
  const double per_firing = std::max(1e-3, shares_sum(kept) * (1 - options_.drop_out));
  LidarScan out;
  out.azimuth_steps = static_cast<int>(std::clamp(
      std::round(options_.points_per_frame / (kRings * per_firing)), 4.0, double{kMaxSteps}));
  const auto expected = static_cast<std::size_t>(options_.points_per_frame * 1.1);
  out.points.reserve(expected);
  out.labels.reserve(expected);
  for (int ring = 0; ring < kRings; ++ring) scan_ring(ring, keep, out);
  return out;
}

void Lidar::scan_ring(int ring, const PerClass& keep, LidarScan& out) const {
  CounterRandom random(options_.seed, RandomUse::scene,
                       kRingStreams + static_cast<std::uint32_t>(ring),
                       static_cast<std::uint64_t>(frame_));
  Return echo;
  for (int step = 0; step < out.azimuth_steps; ++step) {
    // Rings of the real sensor do not fire at the same azimuths either.
    const double offset = 0.5 + 0.4 * std::sin(2.4 * ring);
    const Vec3 d = direction(ring, 2 * std::numbers::pi * (step + offset) / out.azimuth_steps);
    if (!fire(d, echo)) continue;
    const double chance = (1 - options_.drop_out) * (1 - echo.loss) *
                          keep[static_cast<std::size_t>(class_of(echo.label))];
    if (random.uniform() >= chance) continue;
    const Vec3 p = (echo.range_m + options_.range_noise_m * random.normal()) * d;
    out.points.push_back({static_cast<float>(p.x()), static_cast<float>(p.y()),
                          static_cast<float>(p.z()), echo.reflectance});
    out.labels.push_back(echo.label);
  }
}

}  // namespace roadplane::kitti::synthetic
