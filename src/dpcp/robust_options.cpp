#include "roadplane/dpcp/robust_options.hpp"

#include <cmath>

#include "roadplane/base/field_error.hpp"

namespace roadplane {
void RobustOptions::validate() const {
  require(scale_rad > 0 && scale_rad < 1, "scale_rad", "an angle in (0, 1) rad", scale_rad);
  require(start_scale_rad >= scale_rad && start_scale_rad <= 1, "start_scale_rad",
          "an angle from {scale_rad} to 1 rad", start_scale_rad);
  require(sharpenings >= 0, "sharpenings", "0 or more", sharpenings);
  require(final_stages >= 1, "final_stages", "at least 1", final_stages);
  require(inner_iterations >= 0, "inner_iterations", "0 or more", inner_iterations);
  require(beyond >= 1 && std::isfinite(beyond), "beyond", "at least 1", beyond);
  require(final_beyond >= 1 && std::isfinite(final_beyond), "final_beyond", "at least 1",
          final_beyond);
  require(thinning >= 1, "thinning", "at least 1", thinning);
  require(step >= 0 && std::isfinite(step), "step", "0 (automatic) or above", step);
  require(gossip_rounds >= 0, "gossip_rounds", "0 (automatic) or more", gossip_rounds);
  require(consensus_tolerance > 0 && consensus_tolerance < 1, "consensus_tolerance",
          "a number in (0, 1)", consensus_tolerance);
  require(max_step_halvings >= 0, "max_step_halvings", "0 or more", max_step_halvings);
  prior.validate();
}

Graduation RobustOptions::graduation() const {
  return {.loss = loss,
          .first_rad = start_scale_rad,
          .last_rad = scale_rad,
          .sharpenings = sharpenings,
          .beyond = beyond,
          .last_beyond = final_beyond,
          .thinning = thinning};
}

}  // namespace roadplane
