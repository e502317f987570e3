#pragma once

#include <optional>
#include <span>
#include <vector>

#include "coarse_floor.hpp"
#include "coordinates.hpp"
#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/solver/ledger.hpp"

namespace roadplane {

/// Minimises the robust objective from a start that the agents find in their own points, and looks
/// at what came of it.
PlaneFit solve_robust(Channel& channel, std::span<const HomogeneousCloud> clouds,
                      const AnySolverOptions& solver, const RobustOptions& options, Ledger& ledger);

/// Where a solve begins, the same bits for every agent.
struct RoadStart {
  FloorSearch search;                                 ///< with a floor
  std::optional<AgreedCoordinates> coordinates = {};  ///< around it; none: to be agreed on
  std::vector<Eigen::Vector4d> kept =
      {};  ///< of a solve before, see Method::kept(), in common coordinates
};

/// The start that solve_robust() takes, if the points have one.
RoadStart find_start(Channel& channel, std::span<const HomogeneousCloud> clouds,
                     const AnySolverOptions& solver, const RobustOptions& options, Ledger& ledger);

/// The rest of it, from there; coordinates that are agreed on are left in `start`.
PlaneFit solve_from(RoadStart& start, Channel& channel, std::span<const HomogeneousCloud> clouds,
                    const AnySolverOptions& solver, const RobustOptions& options, Ledger& ledger);

/// To the minimum of the loss, from the hyperplane that the coordinates were made for. What is
/// known of the way goes into the fit; the hosted agents' hyperplanes, in the clouds' frame, are
/// the result.
std::vector<Eigen::Vector4d> descend(Channel& channel, std::span<const HomogeneousCloud> moved,
                                     const AgreedCoordinates& agreed,
                                     const AnySolverOptions& solver, const RobustOptions& options,
                                     const RoadStart& start, Ledger& ledger, PlaneFit& fit);

/// With what is the same for every solve, and what the ledger knows of it.
PlaneFit finished(PlaneFit fit, const Ledger& ledger);

}  // namespace roadplane
