#pragma once

#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "roadplane/geometry/point.hpp"
#include "roadplane/geometry/projection.hpp"
#include "roadplane/geometry/rgb_image.hpp"
#include "roadplane/viz/labelled_cloud.hpp"
#include "roadplane/viz/palette.hpp"

namespace roadplane::viz {

/// A camera at the sensor that looks along x, its principal point in the middle of the picture.
inline Projection camera(int width, int height) {
  const double focal = 0.58 * width;
  Eigen::Matrix<double, 3, 4> matrix;
  matrix << width / 2.0, -focal, 0, 0,  //
      height / 2.0, 0, -focal, 0,       //
      1, 0, 0, 0;
  return Projection(matrix);
}

inline RgbImage plain_photo(int width, int height, std::uint8_t level = 0) {
  return {width, height,
          std::vector<std::uint8_t>(
              std::size_t{3} * static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
              level)};
}

inline Color pixel(const RgbImage& image, int x, int y) {
  const std::uint8_t* rgb = image.rgb.data() + 3 * (std::size_t{1} * y * image.width + x);
  return {rgb[0], rgb[1], rgb[2]};
}

/// A road with a wall to the left and a box ahead, seen by a sensor with 32 rings.
struct Scene {
  Scan points;
  std::vector<std::uint8_t> road;
  std::vector<std::uint8_t> truth;
  std::vector<std::uint16_t> owner;

  LabelledCloud cloud() const {
    return {.points = points, .road = road, .truth = truth, .owner = owner};
  }
};

/// Labels are right but for a strip of road that is missed and the wall's foot that is called road.
inline Scene make_scene() {
  constexpr int kRings = 32;
  constexpr int kColumns = 360;
  constexpr double kHeightM = 1.7;
  Scene scene;
  for (int ring = 0; ring < kRings; ++ring) {
    const double slope = -0.02 - 0.013 * ring;  // z per metre of ground range
    for (int column = 0; column < kColumns; ++column) {
      const double azimuth = (column - kColumns / 2.0) * 3.14159265358979 / 180;
      const double c = std::cos(azimuth);
      const double s = std::sin(azimuth);
      double range = kHeightM / -slope;
      bool is_road = true;
      if (s * range > 6) {  // wall at y = 6 m
        range = 6 / s;
        is_road = false;
      }
      if (c > 0.9 && c * range > 12 && std::abs(s * 12 / c) < 1) {  // box at x = 12 m
        range = 12 / c;
        is_road = false;
      }
      const Point point{static_cast<float>(range * c), static_cast<float>(range * s),
                        static_cast<float>(range * slope), 0.25F};
      const bool missed = is_road && point.y < -4 && point.y > -6;
      const bool foot = !is_road && point.y > 5.9F && point.z < -1;
      scene.points.push_back(point);
      scene.road.push_back((is_road && !missed) || foot ? 1 : 0);
      scene.truth.push_back(is_road ? 1 : 0);
      scene.owner.push_back(static_cast<std::uint16_t>(column / 20));
    }
  }
  return scene;
}

/// A fresh folder that goes away with the object.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              ("roadplane_viz_" + name + "_" + std::to_string(getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

  std::size_t files() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) count += entry.exists();
    return count;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace roadplane::viz
