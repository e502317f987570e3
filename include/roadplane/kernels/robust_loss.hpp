#pragma once

#include <cmath>

namespace roadplane {

/// Smooth losses that count distant points less and less, so that outliers let go of the plane:
/// phi'(y) = weight(y) y with a weight that falls from 1 to 0. Hence phi'' <= 1.
enum class RobustLoss {
  geman_mcclure,  ///< weight 1 / (1 + (y/s)^2)^2: a division, no exponential
  welsch,         ///< weight exp(-(y/s)^2 / 2)
};

/// The squared scales s^2 on the two sides of the plane. They may differ: beyond a road, seen from
/// the sensor, there is nothing, so what lies there speaks louder against a plane than what stands
/// on it.
struct SquaredScales {
  double inside = 1;  ///< for y >= 0, the sensor's side
  double beyond = 1;  ///< for y < 0

  double at(double y) const { return y < 0 ? beyond : inside; }
};

struct GemanMcClureLoss {
  SquaredScales squared;

  double value(double y) const {
    const double t = squared.at(y);
    return y * y * t / (t + y * y) / 2;
  }
  double slope(double y) const {
    const double t = squared.at(y);
    const double ratio = t / (t + y * y);
    return ratio * ratio * y;
  }
};

struct WelschLoss {
  SquaredScales squared;

  double value(double y) const {
    const double t = squared.at(y);
    return -t * std::expm1(-y * y / (2 * t));
  }
  double slope(double y) const { return std::exp(-y * y / (2 * squared.at(y))) * y; }
};

}  // namespace roadplane
