#include "renderer.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "light.hpp"
#include "noise.hpp"

namespace roadplane::kitti::synthetic {
namespace {

constexpr double kFarM = 400;

/// Pixels to rays: the calibration backwards.
class Camera {
 public:
  Camera(const View& view, const SyntheticCalibration& c) : view_(view) {
    const Eigen::Matrix3d intrinsics = c.p2.leftCols<3>();
    const Eigen::Matrix3d lidar_from_camera = c.tr.leftCols<3>().transpose();
    const Vec3 centre = -intrinsics.inverse() * c.p2.col(3);
    centre_ = lidar_from_camera * (centre - c.tr.col(3));
    direction_ = lidar_from_camera * intrinsics.inverse();
  }

  Vec3 direction(double u, double v) const { return (direction_ * Vec3(u, v, 1)).normalized(); }
  Ray ray(const Vec3& direction) const { return view_.ray(centre_, direction); }

 private:
  const View& view_;
  Vec3 centre_;
  Eigen::Matrix3d direction_;
};

/// Film-like response: deep shadows, and highlights that roll off instead of clipping
/// (K. Narkowicz's fit of the ACES curve).
Colour tone(const Colour& light) {
  const Colour c = 0.60F * light;
  return (c * (2.51F * c + 0.03F)) / (c * (2.43F * c + 0.59F) + 0.14F);
}

struct Sample {
  Colour colour = Colour::Zero();  ///< toned, so that edges average as an eye would
  std::uintptr_t what = 0;         ///< tells surfaces apart, to find edges
};

class Renderer {
 public:
  Renderer(const World& world, const View& view, const SyntheticCalibration& c)
      : world_(world),
        view_(view),
        camera_(view, c),
        light_(world),
        width_(c.width),
        height_(c.height) {}

  RgbImage run() {
    samples_.resize(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
    for (int v = 0; v < height_; ++v) {
      for (int u = 0; u < width_; ++u) samples_[index(u, v)] = sample(u + 0.5, v + 0.5, 0);
    }
    RgbImage image{width_, height_, {}};
    image.rgb.reserve(3 * samples_.size());
    for (int v = 0; v < height_; ++v) {
      for (int u = 0; u < width_; ++u)
        append(image, is_edge(u, v) ? refined(u, v) : at(u, v).colour);
    }
    return image;
  }

 private:
  std::size_t index(int u, int v) const {
    return static_cast<std::size_t>(v) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(u);
  }
  const Sample& at(int u, int v) const { return samples_[index(u, v)]; }

  Sample sample(double u, double v, int pass) const {
    const Vec3 direction = camera_.direction(u, v);
    const Ray ray = camera_.ray(direction);
    const Vec3 level = view_.to_level * direction;
    Hit hit;
    if (!world_.trace(ray, kFarM, hit)) return {tone(light_.of_sky(level)), 1};
    const double jitter = cell_noise(u, v, pass, world_.salt());
    const auto what =
        reinterpret_cast<std::uintptr_t>(hit.primitive) + static_cast<std::uintptr_t>(2 + hit.face);
    return {tone(light_.of_hit(ray, level, hit, jitter)), what};
  }

  /// Where the pixel right or below shows something else, or the same in quite another tone.
  bool is_edge(int u, int v) const {
    const Sample& here = at(u, v);
    const auto differs = [&](const Sample& there) {
      return here.what != there.what || (here.colour - there.colour).abs().maxCoeff() > 0.12F;
    };
    return (u + 1 < width_ && differs(at(u + 1, v))) ||
           (v + 1 < height_ && differs(at(u, v + 1))) || (u > 0 && differs(at(u - 1, v))) ||
           (v > 0 && differs(at(u, v - 1)));
  }

  Colour refined(int u, int v) const {
    // With the centre, a rotated grid.
    constexpr std::array<std::array<double, 2>, 3> kOffsets{
        {{0.15, 0.35}, {0.80, 0.15}, {0.45, 0.85}}};
    Colour sum = at(u, v).colour;
    int pass = 1;
    for (const auto& [du, dv] : kOffsets) sum += sample(u + du, v + dv, pass++).colour;
    return sum / 4;
  }

  static void append(RgbImage& image, const Colour& colour) {
    for (int channel = 0; channel < 3; ++channel) {
      const double value =
          std::pow(std::clamp(static_cast<double>(colour(channel)), 0.0, 1.0), 1 / 2.2);
      image.rgb.push_back(static_cast<std::uint8_t>(std::lround(255 * value)));
    }
  }

  const World& world_;
  const View& view_;
  Camera camera_;
  Light light_;
  int width_;
  int height_;
  std::vector<Sample> samples_;
};

}  // namespace

RgbImage render(const World& world, const View& view, const SyntheticCalibration& calibration) {
  return Renderer(world, view, calibration).run();
}

}  // namespace roadplane::kitti::synthetic
