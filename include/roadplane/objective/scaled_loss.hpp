#pragma once

#include "roadplane/kernels/robust_loss.hpp"

namespace roadplane {

/// A robust loss at one scale, as objectives take it.
struct ScaledLoss {
  RobustLoss loss;
  double scale = 1;  ///< in units of the projections

  double value(double y) const { return loss.value(y, scale); }
  double slope(double y) const { return loss.slope(y, scale); }
};

}  // namespace roadplane
