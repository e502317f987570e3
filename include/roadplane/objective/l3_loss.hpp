#pragma once

#include <cmath>

namespace roadplane {

/// Dual principal component pursuit by l3 maximisation: phi(y) = -|y|^3 / 3. The absolute value
/// matters: the signed cube is a different problem.
struct L3Loss {
  double value(double y) const { return -std::abs(y) * y * y / 3; }
  double slope(double y) const { return -std::abs(y) * y; }
  double curvature(double y) const { return -2 * std::abs(y); }
};

}  // namespace roadplane
