#pragma once

#include <Eigen/Core>
#include <cmath>

namespace roadplane {

/// The hyperplane w with z positive. Where z is next to nothing another entry decides: agents whose
/// hyperplanes are nearly equal must not turn them to opposite sides.
inline Eigen::Vector4d upwards(const Eigen::Vector4d& w) {
  constexpr double kClearly = 0.1;  // far more than agents differ by; one entry is 0.5 at least
  for (const int r : {2, 3, 0, 1}) {
    if (std::abs(w(r)) > kClearly * w.norm()) return w(r) < 0 ? Eigen::Vector4d(-w) : w;
  }
  return w;
}

}  // namespace roadplane
