#include "roadplane/baseline/psgm.hpp"

#include <cmath>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/stopwatch.hpp"
#include "roadplane/dpcp/spectrum.hpp"
#include "roadplane/geometry/upwards.hpp"

namespace roadplane {
namespace {

/// B sign(B'w), a subgradient of the objective ||B'w||_1 at w; the objective itself is w'B
/// sign(B'w).
Eigen::Vector4d subgradient(const HomogeneousCloud& cloud, const Eigen::Vector4d& w) {
  double sums[4][kFour] = {};
  // Short loops over the lanes, each of which becomes vector instructions.
  for_four_columns(cloud, [&](const double(&b)[4][kFour]) {
    double sign[kFour];
    for (int lane = 0; lane < kFour; ++lane) {
      // The sign of zero does not matter: any value in [-1, 1] is a subgradient.
      sign[lane] = std::copysign(
          1.0, w(0) * b[0][lane] + w(1) * b[1][lane] + w(2) * b[2][lane] + w(3) * b[3][lane]);
    }
    for (int r = 0; r < 4; ++r) {
      for (int lane = 0; lane < kFour; ++lane) sums[r][lane] += sign[lane] * b[r][lane];
    }
  });
  Eigen::Vector4d total;
  for (int r = 0; r < 4; ++r) total(r) = (sums[r][0] + sums[r][1]) + (sums[r][2] + sums[r][3]);
  return total;
}

}  // namespace

void PsgmOptions::validate() const {
  require(first_step > 0 && std::isfinite(first_step), "psgm.first_step", "a number above 0",
          first_step);
  require(last_step > 0 && last_step <= first_step, "psgm.last_step",
          "a number above 0, at most first_step", last_step);
  require(shrink > 0 && shrink < 1, "psgm.shrink", "a number between 0 and 1", shrink);
  require(sufficient_decrease >= 0 && sufficient_decrease < 1, "psgm.sufficient_decrease",
          "at least 0 and below 1", sufficient_decrease);
  require(max_iterations >= 1, "psgm.max_iterations", "at least 1", max_iterations);
}

BaselineResult fit_psgm(const HomogeneousCloud& cloud, const PsgmOptions& options) {
  options.validate();
  const Stopwatch watch;
  BaselineResult result;
  const Spectrum spectrum(cloud.second_moment(), static_cast<double>(cloud.size()));
  result.degeneracy = spectrum.degeneracy();
  if (!result.found()) return result;

  Eigen::Vector4d w = spectrum.smallest();
  Eigen::Vector4d g = subgradient(cloud, w);
  double step = spectrum.exactly_planar() ? 0 : options.first_step;
  while (step >= options.last_step && result.iterations < options.max_iterations) {
    const Eigen::Vector4d candidate = (w - step * g).normalized();
    const Eigen::Vector4d g_candidate = subgradient(cloud, candidate);
    const double wanted = w.dot(g) - options.sufficient_decrease * step * g.squaredNorm();
    if (candidate.dot(g_candidate) > wanted) {
      step *= options.shrink;
      continue;
    }
    w = candidate;
    g = g_candidate;
    ++result.iterations;
  }
  result.w = upwards(w);
  result.seconds = watch.seconds();
  return result;
}

}  // namespace roadplane
