#include "roadplane/dpcp/road_prior.hpp"

#include <cmath>
#include <numbers>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane {
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

bool RoadPrior::admits(const Eigen::Vector4d& w) const { return RoadTest(*this).admits(w); }

RoadTest::RoadTest(const RoadPrior& prior)
    : least_offset_(std::pow(prior.min_height_m, 2)),
      most_offset_(std::pow(prior.max_height_m, 2)),
      least_cosine_(std::pow(std::cos(prior.max_tilt_deg * std::numbers::pi / 180), 2)) {}

Mounting mounting_of(const Eigen::Vector4d& w, const RoadPrior& prior) {
  const RoadTest road(prior);
  if (road.admits(w)) return Mounting::expected;
  if (!road.at_height(w)) return Mounting::unclear;
  if (road.upright(w, -w(2))) return Mounting::upside_down;
  for (const double along : {w(0), -w(0), w(1), -w(1)}) {
    if (road.upright(w, along)) return Mounting::other_axis;
  }
  return Mounting::unclear;
}

}  // namespace roadplane
