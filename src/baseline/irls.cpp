#include "roadplane/baseline/irls.hpp"

#include <algorithm>
#include <cmath>

#include "roadplane/base/field_error.hpp"
#include "roadplane/dpcp/spectrum.hpp"
#include "support.hpp"

namespace roadplane {
namespace {

struct Reweighted {
  Eigen::Matrix4d moment;  ///< sum_j b_j b_j' / max(|w'b_j|, floor)
  double objective = 0;    ///< sum_j |w'b_j|
};

Reweighted reweight(const HomogeneousCloud& cloud, const Eigen::Vector4d& w, double floor) {
  constexpr int kLanes = HomogeneousCloud::kLanes;
  double moments[10][kLanes] = {};  // the lower triangle, row by row
  double absolute[kLanes] = {};
  const std::size_t floats = cloud.padded_size() * 4;
  for (std::size_t k = 0; k < floats; k += HomogeneousCloud::kBlockFloats) {
    const float* block = cloud.blocks() + k;
    // Short loops over the lanes, each of which becomes vector instructions.
    double b[4][kLanes];
    double weighted[4][kLanes];
    for (int r = 0; r < 4; ++r) {
      for (int lane = 0; lane < kLanes; ++lane) b[r][lane] = block[r * kLanes + lane];
    }
    for (int lane = 0; lane < kLanes; ++lane) {
      const double residual =
          std::abs(w(0) * b[0][lane] + w(1) * b[1][lane] + w(2) * b[2][lane] + w(3) * b[3][lane]);
      const double weight = 1 / std::max(residual, floor);
      absolute[lane] += residual;
      for (int r = 0; r < 4; ++r) weighted[r][lane] = weight * b[r][lane];
    }
    for (int r = 0, entry = 0; r < 4; ++r) {
      for (int c = 0; c <= r; ++c, ++entry) {
        for (int lane = 0; lane < kLanes; ++lane) {
          moments[entry][lane] += weighted[r][lane] * b[c][lane];
        }
      }
    }
  }
  const auto total = [](const double* lanes) {
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  };
  Reweighted result;
  for (int r = 0, entry = 0; r < 4; ++r) {
    for (int c = 0; c <= r; ++c) {
      result.moment(r, c) = result.moment(c, r) = total(moments[entry++]);
    }
  }
  result.objective = total(absolute);
  return result;
}

}  // namespace

void IrlsOptions::validate() const {
  require(residual_floor > 0 && std::isfinite(residual_floor), "irls.residual_floor",
          "a number above 0", residual_floor);
  require(tolerance >= 0 && tolerance < 1, "irls.tolerance", "at least 0 and below 1", tolerance);
  require(max_iterations >= 1, "irls.max_iterations", "at least 1", max_iterations);
}

BaselineResult fit_irls(const HomogeneousCloud& cloud, const IrlsOptions& options) {
  options.validate();
  const baseline::Stopwatch watch;
  BaselineResult result;
  const auto points = static_cast<double>(cloud.size());
  const Spectrum spectrum(cloud.second_moment(), points);
  result.degeneracy = spectrum.degeneracy();
  if (!result.found()) return result;

  result.w = spectrum.smallest();
  const int limit = spectrum.exactly_planar() ? 0 : options.max_iterations;
  double objective = INFINITY;
  while (result.iterations < limit) {
    const Reweighted at_w = reweight(cloud, result.w, options.residual_floor);
    if (at_w.objective >= objective * (1 - options.tolerance)) break;
    objective = at_w.objective;
    result.w = Spectrum(at_w.moment, points).smallest();
    ++result.iterations;
  }
  result.seconds = watch.seconds();
  return result;
}

}  // namespace roadplane
