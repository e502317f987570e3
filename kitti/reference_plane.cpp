#include "roadplane/kitti/reference_plane.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "roadplane/dpcp/spectrum.hpp"

namespace roadplane::kitti {
namespace {

/// The smallest eigenvector of sum_j weight(w'b_j) b_j b_j'; nothing if the weighted points
/// determine no plane.
template <class Weight>
std::optional<Eigen::Vector4d> reweighted(const HomogeneousCloud& cloud,
                                          const Eigen::Vector4d& plane, Weight weight) {
  const std::array<double, 4> w{plane(0), plane(1), plane(2), plane(3)};
  double sums[4][4] = {};
  double total = 0;
  for (std::size_t j = 0; j < cloud.size(); ++j) {
    const float* column = cloud.column_data(j);
    double b[4];
    for (int r = 0; r < 4; ++r) b[r] = column[r * HomogeneousCloud::kLanes];
    const double share = weight(w[0] * b[0] + w[1] * b[1] + w[2] * b[2] + w[3] * b[3]);
    if (share == 0) continue;
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c < 4; ++c) sums[r][c] += share * b[r] * b[c];
    }
    total += share;
  }
  const Eigen::Matrix4d moment = Eigen::Matrix4d::Map(&sums[0][0]);
  const Spectrum spectrum(moment / total, total);
  if (!spectrum.degeneracy().empty()) return std::nullopt;
  return spectrum.smallest();
}

/// The start: least absolute deviations (DPCP-IRLS), which holds up where least squares is pulled
/// away by walls and trees.
std::optional<Eigen::Vector4d> least_absolute(const HomogeneousCloud& cloud) {
  constexpr int kPasses = 30;
  const Spectrum spectrum(cloud.second_moment(), static_cast<double>(cloud.size()));
  if (!spectrum.degeneracy().empty()) return std::nullopt;
  std::optional<Eigen::Vector4d> w = spectrum.smallest();
  if (spectrum.exactly_planar()) return w;
  for (int pass = 0; pass < kPasses && w; ++pass) {
    w = reweighted(cloud, *w, [](double r) { return 1 / std::max(std::abs(r), 1e-9); });
  }
  return w;
}

}  // namespace

std::optional<Eigen::Vector4d> reference_plane(const HomogeneousCloud& cloud,
                                               const ReferencePlaneOptions& options) {
  std::optional<Eigen::Vector4d> w = least_absolute(cloud);
  double scale = options.first_scale;
  for (bool last = false; w && !last; scale *= options.shrink) {
    last = scale <= options.last_scale;
    const double s = std::max(scale, options.last_scale);
    for (int pass = 0; pass < options.passes_per_scale && w; ++pass) {
      w = reweighted(cloud, *w, [s](double r) { return std::exp(-r * r / (2 * s * s)); });
    }
  }
  for (int pass = 0; pass < options.max_refinements && w; ++pass) {
    const Eigen::Vector4d previous = *w;
    w = reweighted(cloud, previous,
                   [&](double r) { return std::abs(r) < options.inlier_threshold ? 1.0 : 0.0; });
    if (w && (*w - previous).norm() < 1e-12) break;
  }
  return w;
}

}  // namespace roadplane::kitti
