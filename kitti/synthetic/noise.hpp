#pragma once

#include <cstdint>

namespace roadplane::kitti::synthetic {

/// Texture noise: a pure function of the place, so that LiDAR and camera, and one frame and the
/// next, see the same surface. Integer hashing only, hence the same everywhere.
std::uint32_t hash(std::int32_t x, std::int32_t y, std::int32_t z, std::uint32_t salt);

/// Uniform in [0, 1), constant on the unit cell that holds the place.
double cell_noise(double x, double y, double z, std::uint32_t salt);

/// Smooth, in [0, 1), with features about one unit wide.
double value_noise(double x, double y, std::uint32_t salt);
double value_noise(double x, double y, double z, std::uint32_t salt);

/// `octaves` layers of value_noise, each twice as fine and half as strong; in [0, 1).
double fractal_noise(double x, double y, int octaves, std::uint32_t salt);

/// Zero mean and unit standard deviation (over the plane), features of 0.25 to 1 unit.
double unit_roughness(double x, double y, std::uint32_t salt);

}  // namespace roadplane::kitti::synthetic
