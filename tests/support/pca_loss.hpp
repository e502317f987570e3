#pragma once

namespace roadplane {

/// Principal component analysis: phi(y) = -y^2 / 2, so that f(X) = -1/(2l) sum_j ||X'a_j||^2.
struct PcaLoss {
  static constexpr bool kOfSpan = true;  ///< sums over columns stay when these turn in their span

  double value(double y) const { return -y * y / 2; }
  double slope(double y) const { return -y; }
  double curvature(double) const { return -1; }
};

}  // namespace roadplane
