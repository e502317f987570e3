#pragma once

#include "roadplane/kernels/vector_math.hpp"

namespace roadplane::ROADPLANE_KERNELS {

/// Welsch (1978), weight exp(-(y/s)^2 / 2).
struct Welsch {
  static constexpr const char* kName = "welsch";

  template <class V>
  static V weight(V y_squared, SquaredScale<V> s) {
    return exp_minus_half(y_squared / s.value);
  }
  static double value(double y_squared, double s_squared) {
    return -s_squared * __builtin_expm1(-y_squared / (2 * s_squared));
  }
};

}  // namespace roadplane::ROADPLANE_KERNELS
