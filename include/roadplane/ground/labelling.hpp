#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "roadplane/base/recycled.hpp"
#include "roadplane/geometry/point_rows.hpp"
#include "roadplane/geometry/shards.hpp"

namespace roadplane {

/// In what a point's distance to the hyperplane is measured.
enum class ResidualUnit {
  angle,   ///< |w'b|, the sine of an angle: about metres per metre of range
  metres,  ///< distance to the plane
};

/// Up to which distance a point is labelled.
struct Threshold {
  double value = 0;  ///< [rad] or [m]
  ResidualUnit unit = ResidualUnit::angle;

  /// "0.011rad", "0.6deg", "0.15m" or "15cm". Throws FieldError naming `threshold`.
  static Threshold parse(std::string_view text);
  std::string to_string() const;  ///< in rad or m
};

/// Whether somebody reads the residuals of labelled points. They take four times the memory of the
/// labels.
enum class Residuals { kept, left_out };

/// Every point of a scan, or of what a process holds of one, in its order.
struct PointLabels {
  RecycledVector<float> residuals;    ///< signed distance, negative below the plane; infinite for
                                      ///< points that no solve uses (NaN, infinite, missing
                                      ///< returns); empty if left out
  RecycledVector<std::uint8_t> road;  ///< 1 where the distance is at most the threshold, else 0

  PointLabels() = default;
  /// Room for so many points, each of which gets its label from the agent that holds it.
  explicit PointLabels(std::size_t points, Residuals wanted = Residuals::kept)
      : residuals(wanted == Residuals::kept ? points : 0), road(points) {}

  std::size_t count() const;  ///< of the points labelled 1
};

/// Labels each point by its distance to the hyperplane, whichever way that faces: the sensor is
/// above the road, also if it hangs upside down.
PointLabels label_points(const PointRows& points, const Eigen::Vector4d& w,
                         const Threshold& threshold);

/// The same where every agent labels its own points with its own hyperplane.
PointLabels label_points(const PointRows& points, const Shards& shards,
                         std::span<const Eigen::Vector4d> planes, const Threshold& threshold,
                         Residuals residuals = Residuals::kept);

}  // namespace roadplane
