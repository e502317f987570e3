#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/geometry/point.hpp"

namespace roadplane::test {

/// Standard normal entries.
inline Eigen::MatrixXd random_matrix(int rows, int columns, std::uint64_t seed) {
  CounterRandom random(seed, RandomUse::user);
  Eigen::MatrixXd matrix(rows, columns);
  for (Eigen::Index k = 0; k < matrix.size(); ++k) matrix(k) = random.normal();
  return matrix;
}

/// A cloud of points all around the sensor.
inline Scan random_scan(std::size_t count, std::uint64_t seed) {
  CounterRandom random(seed, RandomUse::user);
  Scan scan(count);
  for (Point& p : scan) {
    p = {static_cast<float>(40 * random.normal()), static_cast<float>(40 * random.normal()),
         static_cast<float>(random.normal() - 1.7), 0.5F};
  }
  return scan;
}

}  // namespace roadplane::test
