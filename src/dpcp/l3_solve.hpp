#pragma once

#include <span>

#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/solver/ledger.hpp"

namespace roadplane {

/// The paper's: on whitened data d = C^{-1/2} b, with C the second moment that the agents agree on,
/// maximises mean |x'd|^3 over the sphere; then w = C^{-1/2} x.
PlaneFit solve_l3(Channel& channel, std::span<const HomogeneousCloud> clouds,
                  const AnySolverOptions& solver, const L3Options& options, Ledger& ledger);

}  // namespace roadplane
