#include "roadplane/dpcp/road_prior.hpp"

#include <cmath>
#include <numbers>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane {
namespace {

/// Whether the plane, its normal turned to the sensor's side, is a road for a sensor whose `axis`
/// points up.
bool is_road(const Eigen::Vector4d& w, const Eigen::Vector3d& axis, const RoadPrior& prior) {
  const double length = w.head<3>().norm();
  if (!(length > 0)) return false;
  const double sign = w(3) < 0 ? -1 : 1;
  const double height_m = sign * w(3) / length;
  const double cosine = sign * w.head<3>().dot(axis) / length;
  return cosine >= std::cos(prior.max_tilt_deg * std::numbers::pi / 180) &&
         height_m >= prior.min_height_m && height_m <= prior.max_height_m;
}

}  // namespace

void RoadPrior::validate() const {
  require(max_tilt_deg > 0 && max_tilt_deg <= 45, "prior.max_tilt_deg", "degrees in (0, 45]",
          max_tilt_deg);
  require(min_height_m > 0 && std::isfinite(min_height_m), "prior.min_height_m", "metres above 0",
          min_height_m);
  require(max_height_m > 0 && std::isfinite(max_height_m), "prior.max_height_m", "metres above 0",
          max_height_m);
  require(min_height_m < max_height_m, "prior.min_height_m",
          "less than {prior.max_height_m} (" + in_digits(max_height_m) + ")", min_height_m);
}

bool RoadPrior::admits(const Eigen::Vector4d& w) const {
  return is_road(w, Eigen::Vector3d::UnitZ(), *this);
}

Mounting mounting_of(const Eigen::Vector4d& w, const RoadPrior& prior) {
  if (prior.admits(w)) return Mounting::expected;
  if (is_road(w, -Eigen::Vector3d::UnitZ(), prior)) return Mounting::upside_down;
  for (const Eigen::Vector3d axis : {Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitY()}) {
    if (is_road(w, axis, prior) || is_road(w, -axis, prior)) return Mounting::other_axis;
  }
  return Mounting::unclear;
}

}  // namespace roadplane
