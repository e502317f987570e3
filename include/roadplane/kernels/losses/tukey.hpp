#pragma once

#include "roadplane/kernels/vector_math.hpp"

namespace roadplane::ROADPLANE_KERNELS {

/// Tukey's biweight (Beaton & Tukey, 1974), weight max(0, 1 - (y/s)^2)^2: no division, no
/// exponential, and points further than s away have no say at all.
struct Tukey {
  static constexpr const char* kName = "tukey";

  template <class V>
  static V weight(V y_squared, SquaredScale<V> s) {
    const V rest = positive_part(1.0F - y_squared * s.inverse);
    return rest * rest;
  }
  static double value(double y_squared, double s_squared) {
    const double rest = positive_part(1 - y_squared / s_squared);
    return s_squared / 6 * (1 - rest * rest * rest);
  }
};

}  // namespace roadplane::ROADPLANE_KERNELS
