#include "roadplane/dpcp/robust_options.hpp"

#include <cmath>

#include "roadplane/base/field_error.hpp"

namespace roadplane {
namespace {

void require_scale(const char* field, double scale_rad) {
  require(scale_rad > 0 && scale_rad < 1, field, "an angle in (0, 1) rad", scale_rad);
}

}  // namespace

Window RobustOptions::window() const {
  const Window window =
      sought == PlaneSought::dominant
          ? Window{.loss = loss, .above = dominant_rad, .below = dominant_rad}
          : Window{.loss = loss, .above = above_rad, .below = below_rad, .near_m = near_m};
  return window.scaled(loss.width());
}

void RobustOptions::validate() const {
  require_scale("dominant_rad", dominant_rad);
  require_scale("above_rad", above_rad);
  require_scale("below_rad", below_rad);
  require(near_m >= 0 && std::isfinite(near_m), "near_m", "0 (off) or more metres", near_m);
  require(step >= 0 && std::isfinite(step), "step", "0 (automatic) or above", step);
  require(gossip_rounds >= 0, "gossip_rounds", "0 (automatic) or more", gossip_rounds);
  require(inner_iterations >= 0, "inner_iterations", "0 or more", inner_iterations);
  require(rest > 0 && rest < 1, "rest", "a number in (0, 1)", rest);
  require(max_iterations >= 1, "max_iterations", "at least 1", max_iterations);
  require(consensus_tolerance > 0 && consensus_tolerance < 1, "consensus_tolerance",
          "a number in (0, 1)", consensus_tolerance);
  require(max_step_halvings >= 0, "max_step_halvings", "0 or more", max_step_halvings);
  prior.validate();
}

}  // namespace roadplane
