#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/geometry/point.hpp"

namespace roadplane::test {

/// The road of road_scan(): 1.7 m below the sensor, tilted.
inline Eigen::Vector4d road_hyperplane() {
  return Eigen::Vector4d(0.03, -0.02, 1, 1.7).normalized();
}

/// Points on the road around the sensor, with `noise_m` on their heights; `outlier_share` of them
/// anywhere up to 6 m above it.
inline Scan road_scan(std::size_t count, double outlier_share, double noise_m = 0) {
  CounterRandom random(17, RandomUse::user);
  Scan scan(count);
  for (Point& p : scan) {
    const double x = 80 * random.uniform() - 40;
    const double y = 80 * random.uniform() - 40;
    const double road = -1.7 - 0.03 * x + 0.02 * y;
    const double above = random.uniform() < outlier_share ? 6 * random.uniform() : 0;
    p = {static_cast<float>(x), static_cast<float>(y),
         static_cast<float>(road + above + noise_m * random.normal()), 0};
  }
  return scan;
}

/// Points of a line that misses the sensor, rounded to floats as every scan is.
inline Scan collinear_scan(std::size_t count) {
  Scan scan(count);
  for (std::size_t k = 0; k < count; ++k) {
    const double t = 0.1 * static_cast<double>(k);
    scan[k] = {static_cast<float>(3 + t), static_cast<float>(1 - 0.5 * t),
               static_cast<float>(-1.7 + 0.01 * t), 0};
  }
  return scan;
}

/// mean_j |w'b_j|, what PSGM and IRLS minimise.
inline double l1_objective(const HomogeneousCloud& cloud, const Eigen::Vector4d& w) {
  double sum = 0;
  for (std::size_t j = 0; j < cloud.size(); ++j) sum += std::abs(w.dot(cloud.column(j)));
  return sum / static_cast<double>(cloud.size());
}

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

}  // namespace roadplane::test
