#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "roadplane/geometry/point.hpp"

namespace roadplane {

/// In what a point's distance to the hyperplane is measured.
enum class ResidualUnit {
  angle,   ///< |w'b|, the sine of an angle: about metres per metre of range
  metres,  ///< distance to the plane
};

/// Up to which distance a point is road.
struct Threshold {
  double value = 0;  ///< [rad] or [m]; 0 with `automatic`
  ResidualUnit unit = ResidualUnit::angle;
  bool automatic = false;  ///< chosen from the residuals, see auto_threshold()

  /// "0.011rad", "0.15m" or "auto". Throws FieldError naming `threshold`.
  static Threshold parse(std::string_view text);
  std::string to_string() const;
};

/// Each point's signed distance to the hyperplane w (negative on the side that w points away from:
/// below the road), in the scan's order; infinite for points that no solve uses (NaN, infinite,
/// missing returns).
void residuals(PointSpan points, const Eigen::Vector4d& w, ResidualUnit unit,
               std::vector<float>& result);

/// 1 (road) where the distance is at most the threshold, else 0. Returns the number of road points.
std::size_t label_road(std::span<const float> residuals, double threshold,
                       std::vector<std::uint8_t>& road);

/// How the residuals just below the plane are distributed; counts of a scan's shards add up.
using ResidualHistogram = std::array<std::uint64_t, 200>;
ResidualHistogram histogram_below(std::span<const float> residuals);

/// A threshold [rad] from the residuals' own distribution. Above a road there are kerbs, sidewalks
/// and grass, so that the density there does not tell where the road ends; below it there is
/// nothing but the scatter of the road itself. The threshold is where the density below has fallen
/// to a tenth of its peak, which is 2.1 standard deviations of normal scatter.
double auto_threshold(const ResidualHistogram& counts);

}  // namespace roadplane
