#pragma once

#include "roadplane/dpcp/road_prior.hpp"
#include "roadplane/kernels/robust_loss.hpp"
#include "roadplane/objective/window.hpp"

namespace roadplane {

/// Which plane is the road.
enum class PlaneSought {
  dominant,  ///< the one that most points lie on, sidewalks included: what DPCP annotations hold
  lowest,    ///< the lowest that carries points: the road's surface, a kerb below the sidewalk
};

/// The robust objective: a redescending loss of |w'b|, taken to its minimum from a start that the
/// agents find in their own points. Of the solver's own options the batch, the penalty, the seed,
/// the trace and the limits are used. bench/plane_study shows what they give.
struct RobustOptions {
  RobustLoss loss{};  ///< Tukey's biweight unless asked for another
  PlaneSought sought = PlaneSought::lowest;
  double dominant_rad = 0.0125;                ///< [rad] scale of the dominant plane, on both sides
  WindowScale above{.rad = 0.003, .m = 0.04};  ///< of the lowest plane, on the sensor's side,
  WindowScale below{.rad = 0.004, .m = 0.05};  ///< and beyond
  double near_m = 5;         ///< [m] for the lowest plane, points within count (range / near)^2
  double step = 0;           ///< eta; 0 follows from the shards' curvature and the network
  int gossip_rounds = 0;     ///< Chebyshev messages per link and iteration; 0 follows from the SLEM
  int inner_iterations = 3;  ///< VRSGT: between two full gradients
  double rest = 4e-4;        ///< residual, in units of the scale, at which a solve has arrived
  int max_iterations = 192;  ///< if it does not arrive
  double consensus_tolerance = 1e-2;  ///< of a last gossip on the result, relative to disagreement
  int max_step_halvings = 6;          ///< if iterates leave the safe region all the same
  RoadPrior prior{};

  /// The loss at its final scale.
  Window window() const;
  /// Throws InputError naming the bad field and its range.
  void validate() const;
};

}  // namespace roadplane
