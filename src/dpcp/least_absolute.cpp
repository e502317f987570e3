#include "roadplane/dpcp/least_absolute.hpp"

#include <algorithm>
#include <cmath>

#include "roadplane/base/field_error.hpp"
#include "roadplane/dpcp/reweighted.hpp"
#include "roadplane/dpcp/spectrum.hpp"

namespace roadplane {

void IrlsOptions::validate() const {
  require(residual_floor > 0 && std::isfinite(residual_floor), "irls.residual_floor",
          "a number above 0", residual_floor);
  require(tolerance >= 0 && tolerance < 1, "irls.tolerance", "at least 0 and below 1", tolerance);
  require(max_iterations >= 1, "irls.max_iterations", "at least 1", max_iterations);
}

LeastAbsolute least_absolute_plane(const HomogeneousCloud& cloud, const IrlsOptions& options) {
  options.validate();
  LeastAbsolute result;
  const auto points = static_cast<double>(cloud.size());
  const Spectrum spectrum(cloud.second_moment(), points);
  result.degeneracy = spectrum.degeneracy();
  if (!result.degeneracy.empty()) return result;

  result.w = spectrum.smallest();
  const int limit = spectrum.exactly_planar() ? 0 : options.max_iterations;
  const auto weight = [floor = options.residual_floor](double residual) {
    return 1 / std::max(residual, floor);
  };
  double objective = INFINITY;
  while (result.iterations < limit) {
    const Reweighted at_w = reweight(cloud, result.w, weight);
    if (at_w.absolute_sum >= objective * (1 - options.tolerance)) break;
    objective = at_w.absolute_sum;
    result.w = Spectrum(at_w.moment, points).smallest();
    ++result.iterations;
  }
  return result;
}

}  // namespace roadplane
