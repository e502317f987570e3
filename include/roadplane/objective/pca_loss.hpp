#pragma once

namespace roadplane {

/// Principal component analysis: phi(y) = -y^2 / 2, so that f(X) = -1/(2l) sum_j ||X'a_j||^2.
struct PcaLoss {
  double value(double y) const { return -y * y / 2; }
  double slope(double y) const { return -y; }
};

}  // namespace roadplane
