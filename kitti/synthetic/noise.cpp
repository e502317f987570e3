#include "noise.hpp"

#include <cmath>

namespace roadplane::kitti::synthetic {
namespace {

std::int32_t floor_to_int(double x) {
  const auto truncated = static_cast<std::int32_t>(x);
  return truncated - (x < truncated ? 1 : 0);
}

double unit(std::uint32_t bits) { return bits * 0x1.0p-32; }
double smooth(double u) { return u * u * (3 - 2 * u); }
double mix(double a, double b, double s) { return a + (b - a) * s; }

}  // namespace

std::uint32_t hash(std::int32_t x, std::int32_t y, std::int32_t z, std::uint32_t salt) {
  std::uint32_t h = salt ^ (static_cast<std::uint32_t>(x) * 0x8da6b343U) ^
                    (static_cast<std::uint32_t>(y) * 0xd8163841U) ^
                    (static_cast<std::uint32_t>(z) * 0xcb1ab31fU);
  h = (h ^ (h >> 16)) * 0x7feb352dU;
  h = (h ^ (h >> 15)) * 0x846ca68bU;
  return h ^ (h >> 16);
}

double cell_noise(double x, double y, double z, std::uint32_t salt) {
  return unit(hash(floor_to_int(x), floor_to_int(y), floor_to_int(z), salt));
}

double value_noise(double x, double y, std::uint32_t salt) {
  const std::int32_t i = floor_to_int(x);
  const std::int32_t j = floor_to_int(y);
  const double s = smooth(x - i);
  const double t = smooth(y - j);
  const double low = mix(unit(hash(i, j, 0, salt)), unit(hash(i + 1, j, 0, salt)), s);
  const double high = mix(unit(hash(i, j + 1, 0, salt)), unit(hash(i + 1, j + 1, 0, salt)), s);
  return mix(low, high, t);
}

double value_noise(double x, double y, double z, std::uint32_t salt) {
  const std::int32_t k = floor_to_int(z);
  const auto layer = [&](std::int32_t at) {
    return value_noise(x, y, salt + 0x9e3779b9U * static_cast<std::uint32_t>(at));
  };
  return mix(layer(k), layer(k + 1), smooth(z - k));
}

double fractal_noise(double x, double y, int octaves, std::uint32_t salt) {
  double sum = 0;
  double weight = 0.5;
  double total = 0;
  for (int o = 0; o < octaves; ++o) {
    sum += weight * value_noise(x, y, salt + static_cast<std::uint32_t>(o));
    total += weight;
    weight *= 0.5;
    x *= 2;
    y *= 2;
  }
  return sum / total;
}

double unit_roughness(double x, double y, std::uint32_t salt) {
  // Variance of a lattice value is 1/12; interpolating with s = 3u^2 - 2u^3 leaves, on average,
  // E[s^2 + (1-s)^2] = 26/35 of it per axis.
  const double deviation = std::sqrt(1.0 / 12.0) * (26.0 / 35.0);
  const double coarse = value_noise(x, y, salt) - 0.5;
  const double fine = value_noise(4 * x, 4 * y, salt + 1) - 0.5;
  return (coarse + fine) / (std::sqrt(2.0) * deviation);
}

}  // namespace roadplane::kitti::synthetic
