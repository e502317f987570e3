#include "reference_plane.hpp"

#include <algorithm>
#include <cmath>

#include "roadplane/dpcp/least_absolute.hpp"
#include "roadplane/dpcp/reweighted.hpp"
#include "roadplane/dpcp/spectrum.hpp"

namespace roadplane::kitti {
namespace {

/// The next plane of iteratively reweighted least squares; nothing if the weighted points determine
/// none.
template <class Weight>
std::optional<Eigen::Vector4d> next_plane(const HomogeneousCloud& cloud,
                                          const Eigen::Vector4d& plane, const Weight& weight) {
  const Eigen::Matrix4d moment = reweight(cloud, plane, weight).moment;
  const double total = moment.trace();
  const Spectrum spectrum(moment / total, total);
  if (!spectrum.degeneracy().empty()) return std::nullopt;
  return spectrum.smallest();
}

}  // namespace

std::optional<Eigen::Vector4d> reference_plane(const HomogeneousCloud& cloud,
                                               const ReferencePlaneOptions& options) {
  // Least absolute deviations hold up where least squares is pulled away by walls and trees.
  const LeastAbsolute start = least_absolute_plane(cloud);
  if (!start.degeneracy.empty()) return std::nullopt;
  std::optional<Eigen::Vector4d> w = start.w;
  double scale = options.first_scale;
  for (bool last = false; w && !last; scale *= options.shrink) {
    last = scale <= options.last_scale;
    const double s = std::max(scale, options.last_scale);
    for (int pass = 0; pass < options.passes_per_scale && w; ++pass) {
      w = next_plane(cloud, *w, [s](double r) { return std::exp(-r * r / (2 * s * s)); });
    }
  }
  for (int pass = 0; pass < options.max_refinements && w; ++pass) {
    const Eigen::Vector4d previous = *w;
    w = next_plane(cloud, previous,
                   [&](double r) { return r < options.inlier_threshold ? 1.0 : 0.0; });
    if (w && (*w - previous).norm() < 1e-12) break;
  }
  return w;
}

}  // namespace roadplane::kitti
