#pragma once

#include <Eigen/Core>
#include <cmath>

#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/geometry/symmetric.hpp"

namespace roadplane {

/// What a step of iteratively reweighted least squares needs; the smallest eigenvector of the
/// moment is the next w.
struct Reweighted {
  Eigen::Matrix4d moment;   ///< sum_j weight(|w'b_j|) b_j b_j'; its trace is the sum of the weights
  double absolute_sum = 0;  ///< sum_j |w'b_j|
};

template <class Weight>
Reweighted reweight(const HomogeneousCloud& cloud, const Eigen::Vector4d& w, const Weight& weight) {
  double moments[kTriangleSize][kFour] = {};
  double absolute[kFour] = {};
  // Short loops over the lanes, each of which becomes vector instructions.
  for_four_columns(cloud, [&](const double(&b)[4][kFour]) {
    double weighted[4][kFour];
    for (int lane = 0; lane < kFour; ++lane) {
      const double residual =
          std::abs(w(0) * b[0][lane] + w(1) * b[1][lane] + w(2) * b[2][lane] + w(3) * b[3][lane]);
      const double share = weight(residual);
      absolute[lane] += residual;
      for (int r = 0; r < 4; ++r) weighted[r][lane] = share * b[r][lane];
    }
    for (int r = 0, entry = 0; r < 4; ++r) {
      for (int c = 0; c <= r; ++c, ++entry) {
        for (int lane = 0; lane < kFour; ++lane) {
          moments[entry][lane] += weighted[r][lane] * b[c][lane];
        }
      }
    }
  });
  const auto total = [](const double* lanes) {
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  };
  double triangle[kTriangleSize];
  for (std::size_t entry = 0; entry < kTriangleSize; ++entry) {
    triangle[entry] = total(moments[entry]);
  }
  return {unpack_triangle(triangle), total(absolute)};
}

}  // namespace roadplane
