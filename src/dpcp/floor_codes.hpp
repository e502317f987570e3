#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "low_points.hpp"

namespace roadplane {

/// Two floats for a floor: its normal in steps of 6e-5, and its offset.
struct FloorCode {
  float normal = -std::numeric_limits<float>::infinity();
  float offset = -std::numeric_limits<float>::infinity();

  static constexpr std::uint32_t kSteps = 32767;
  static constexpr std::uint32_t kFirst = 0x00800000;  // the smallest normal float

  static FloorCode of(const Floor& floor) {
    const auto level = [](double entry) {
      return static_cast<std::uint32_t>(std::lround((entry + 1) / 2 * kSteps));
    };
    const std::uint32_t code = level(floor(0)) * (kSteps + 1) + level(floor(1));
    return {std::bit_cast<float>(kFirst + code), static_cast<float>(floor(3))};
  }
  bool empty() const { return !(normal > 0); }
  Floor floor() const {
    const std::uint32_t code = std::bit_cast<std::uint32_t>(normal) - kFirst;
    const auto entry = [](std::uint32_t level) { return 2.0 * level / kSteps - 1; };
    const double x = entry(code / (kSteps + 1));
    const double y = entry(code % (kSteps + 1));
    const double z = std::sqrt(std::max(0.0, 1 - x * x - y * y));
    return Floor(x, y, z, offset) / std::sqrt(x * x + y * y + z * z);
  }
};

/// A step of a leading floor as 16 bits for each of its entries.
struct StepCode {
  static constexpr std::array<double, 3> kMost{0.25, 0.25, 2};  // [rad], [rad], [m]
  static constexpr double kSteps = 65535;

  static std::uint64_t of(const Eigen::Vector3d& step) {
    std::uint64_t code = 0;
    for (int r = 0; r < 3; ++r) {
      const double unit = (step(r) / kMost[static_cast<std::size_t>(r)] + 1) / 2;
      code =
          code << 16 | static_cast<std::uint64_t>(std::lround(kSteps * std::clamp(unit, 0.0, 1.0)));
    }
    return code;
  }
  static Eigen::Vector3d step(std::uint64_t code) {
    Eigen::Vector3d step;
    for (int r = 2; r >= 0; --r, code >>= 16) {
      const double unit = static_cast<double>(code & 0xFFFF) / kSteps;
      step(r) = (2 * unit - 1) * kMost[static_cast<std::size_t>(r)];
    }
    return step;
  }
};

}  // namespace roadplane
