#pragma once

#include "vector_math.hpp"

namespace roadplane::ROADPLANE_KERNELS {

/// Welsch (1978), weight exp(-t / 2) with t = (y/s)^2.
struct Welsch {
  static constexpr const char* kName = "welsch";
  static constexpr double kWidth = 0.4;

  template <class V>
  static V weight(V t) {
    return exp_minus_half(t);
  }
  template <class V>
  static V curvature(V t) {
    return exp_minus_half(t) * (1.0F - t);
  }
  static double value(double t) { return -__builtin_expm1(-t / 2); }
};

}  // namespace roadplane::ROADPLANE_KERNELS
