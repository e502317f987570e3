#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "roadplane/dpcp/road_prior.hpp"

namespace roadplane {

/// A plane in four bytes, which look like a float above 0 so that a flood keeps them: direction and
/// distance of the plane's nearest point, 708 steps each. That is 2 mrad and, at 2 m, 1 cm, less
/// than what planes are weighed with.
class PlaneCode {
 public:
  static float pack(const Eigen::Vector4d& w) {
    const Eigen::Vector3d n = w.head<3>().normalized();
    const double distance_m = w(3) / w.head<3>().norm();
    // Of the normal the two smaller entries; which is the largest, and its sign, comes with it.
    int axis = 0;
    n.cwiseAbs().maxCoeff(&axis);
    std::uint32_t code = level(std::atan(distance_m) / (M_PI / 2));
    code = kSteps * code + level((n((axis + 1) % 3) / kMost + 1) / 2);
    code = kSteps * code + level((n((axis + 2) % 3) / kMost + 1) / 2);
    return std::bit_cast<float>(kFirst + 6 * code + 2 * static_cast<std::uint32_t>(axis) +
                                (n(axis) < 0 ? 1 : 0));
  }
  static Eigen::Vector4d unpack(float packed) {
    std::uint32_t code = std::bit_cast<std::uint32_t>(packed) - kFirst;
    const auto next = [&code](std::uint32_t steps) {
      const std::uint32_t value = code % steps;
      code /= steps;
      return value;
    };
    const auto form = static_cast<int>(next(6));
    const auto unit = [&next] { return next(kSteps) / (kSteps - 1.0); };
    const int axis = form / 2;
    Eigen::Vector4d w;
    w((axis + 2) % 3) = kMost * (2 * unit() - 1);
    w((axis + 1) % 3) = kMost * (2 * unit() - 1);
    const double rest = 1 - std::pow(w((axis + 1) % 3), 2) - std::pow(w((axis + 2) % 3), 2);
    w(axis) = (form % 2 == 1 ? -1 : 1) * std::sqrt(std::max(rest, 0.0));
    w(3) = w.head<3>().norm() * std::tan(unit() * M_PI / 2);
    return towards_sensor(w);
  }

 private:
  static constexpr std::uint32_t kSteps = 708;
  static constexpr std::uint32_t kFirst = 0x00800000;  // the smallest normal float
  static_assert(6ULL * kSteps * kSteps * kSteps < 0x7F800000ULL - kFirst, "finite floats");
  static constexpr double kMost = 0.70711;  // of the smaller entries

  static std::uint32_t level(double unit) {
    return static_cast<std::uint32_t>(std::lround(std::clamp(unit, 0.0, 1.0) * (kSteps - 1)));
  }
};

}  // namespace roadplane
