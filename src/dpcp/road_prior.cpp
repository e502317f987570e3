#include "roadplane/dpcp/road_prior.hpp"

#include <cmath>
#include <numbers>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane {
void RoadPrior::validate() const {
  require(max_tilt_deg > 0 && max_tilt_deg <= 80, "prior.max_tilt_deg", "degrees in (0, 80]",
          max_tilt_deg);
  require(!std::isnan(min_height_m), "prior.min_height_m", "metres", min_height_m);
  require(!std::isnan(max_height_m), "prior.max_height_m", "metres", max_height_m);
  require(min_height_m < max_height_m, "prior.min_height_m",
          "less than {prior.max_height_m} (" + in_digits(max_height_m) + ")", min_height_m);
}

RoadTest::RoadTest(const RoadPrior& prior)
    : prior_(prior), least_cosine_(std::cos(prior.max_tilt_deg * std::numbers::pi / 180)) {}

Mounting mounting_of(const Eigen::Vector4d& floor, const RoadPrior& prior) {
  const double least = std::cos(prior.max_tilt_deg * std::numbers::pi / 180);
  if (RoadTest(prior).admits(floor)) return Mounting::expected;
  if (-floor(2) >= least) return Mounting::upside_down;
  if (floor.head<2>().cwiseAbs().maxCoeff() >= least) return Mounting::other_axis;
  return Mounting::unclear;
}

}  // namespace roadplane
