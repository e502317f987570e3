#pragma once

#include "vector_math.hpp"

namespace roadplane::ROADPLANE_KERNELS {

/// Tukey's biweight (Beaton & Tukey, 1974), weight max(0, 1 - t)^2 with t = (y/s)^2: no division,
/// no exponential, and points further than s away have no say at all.
struct Tukey {
  static constexpr const char* kName = "tukey";
  static constexpr double kWidth = 1;

  template <class V>
  static V weight(V t) {
    const V rest = positive_part(1.0F - t);
    return rest * rest;
  }
  template <class V>
  static V curvature(V t) {
    return positive_part(1.0F - t) * (1.0F - 5.0F * t);
  }
  static double value(double t) {
    const double rest = positive_part(1 - t);
    return (1 - rest * rest * rest) / 6;
  }
};

}  // namespace roadplane::ROADPLANE_KERNELS
