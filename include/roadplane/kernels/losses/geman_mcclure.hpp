#pragma once

#include "roadplane/kernels/vector_math.hpp"

namespace roadplane::ROADPLANE_KERNELS {

/// Geman & McClure (1987), weight 1 / (1 + (y/s)^2)^2: a division, no exponential.
struct GemanMcClure {
  static constexpr const char* kName = "geman-mcclure";

  template <class V>
  static V weight(V y_squared, SquaredScale<V> s) {
    const V ratio = s.value * reciprocal(s.value + y_squared);
    return ratio * ratio;
  }
  static double value(double y_squared, double s_squared) {
    return y_squared * s_squared / (s_squared + y_squared) / 2;
  }
};

}  // namespace roadplane::ROADPLANE_KERNELS
