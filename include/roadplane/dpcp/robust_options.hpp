#pragma once

#include "roadplane/dpcp/road_prior.hpp"
#include "roadplane/kernels/robust_loss.hpp"
#include "roadplane/objective/robust_objective.hpp"

namespace roadplane {

/// The robust objective and its schedule, which needs no tuning: bench/schedule_study.cpp is the
/// experiment that the numbers come from. The schedule decides on step, gossip and iterations; of
/// the solver's own options it uses the batch, the penalty, the seed, the trace and the limits.
struct RobustOptions {
  RobustLoss loss{};
  double scale_rad = 0.005;       ///< [rad] final scale: of |w'b|, about metres per metre of range
  double start_scale_rad = 0.06;  ///< [rad] scale of the first outer iteration
  int sharpenings = 4;            ///< outer iterations until the final scale, each a factor sharper
  int final_stages = 4;           ///< outer iterations at the final scale
  int inner_iterations = 5;       ///< between two full gradients
  double beyond =
      3;  ///< until the final scale: scale beyond the plane / on the sensor's side, >= 1
  double final_beyond = 1.05;  ///< the same at the final scale, >= 1
  int thinning = 16;      ///< the first full gradient uses every so many-th point; halved each time
  double step = 0;        ///< eta; 0 follows from the shards' curvature and the network
  int gossip_rounds = 0;  ///< Chebyshev messages per link and iteration; 0 follows from the SLEM
  double consensus_tolerance = 1e-3;  ///< of a last gossip on the result, relative to disagreement
  int max_step_halvings = 6;          ///< if iterates leave the safe region all the same
  RoadPrior prior{};

  /// Throws InputError naming the bad field and its range.
  void validate() const;

  Graduation graduation() const;
};

}  // namespace roadplane
