#pragma once

#include "vector_math.hpp"

namespace roadplane::ROADPLANE_KERNELS {

/// Geman & McClure (1987), weight 1 / (1 + t)^2 with t = (y/s)^2: a division, no exponential.
struct GemanMcClure {
  static constexpr const char* kName = "geman-mcclure";
  static constexpr double kWidth = 0.45;  ///< scale that suits where Tukey's is 1

  template <class V>
  static V weight(V t) {
    const V ratio = reciprocal(1.0F + t);
    return ratio * ratio;
  }
  template <class V>
  static V curvature(V t) {
    const V ratio = reciprocal(1.0F + t);
    return ratio * ratio * ratio * (1.0F - 3.0F * t);
  }
  static double value(double t) { return t / (1 + t) / 2; }
};

}  // namespace roadplane::ROADPLANE_KERNELS
