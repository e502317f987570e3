#include "roadplane/dpcp/robust_options.hpp"

#include <cmath>
#include <string>

#include "roadplane/base/field_error.hpp"

namespace roadplane {
namespace {

void require_scale(const std::string& field, const WindowScale& scale) {
  require(scale.rad > 0 && scale.rad < 1, (field + ".rad").c_str(), "an angle in (0, 1) rad",
          scale.rad);
  require(scale.m >= 0 && scale.m < 1, (field + ".m").c_str(), "a distance in [0, 1) m", scale.m);
}

}  // namespace

Window RobustOptions::window() const {
  const Window window =
      sought == PlaneSought::dominant
          ? Window{.loss = loss, .above = {dominant_rad}, .below = {dominant_rad}}
          : Window{.loss = loss, .above = above, .below = below, .near_m = near_m};
  return window.scaled(loss.width());
}

void RobustOptions::validate() const {
  require(dominant_rad > 0 && dominant_rad < 1, "dominant_rad", "an angle in (0, 1) rad",
          dominant_rad);
  require_scale("above", above);
  require_scale("below", below);
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
