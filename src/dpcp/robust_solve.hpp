#pragma once

#include <span>

#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/solver/ledger.hpp"

namespace roadplane {

/// Minimises the robust objective from a start that the agents find in their own points, and looks
/// at what came of it.
PlaneFit solve_robust(Channel& channel, std::span<const HomogeneousCloud> clouds,
                      const AnySolverOptions& solver, const RobustOptions& options, Ledger& ledger);

}  // namespace roadplane
