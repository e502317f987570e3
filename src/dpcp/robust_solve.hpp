#pragma once

#include <span>

#include "roadplane/dpcp/dpcp.hpp"

namespace roadplane {

/// Minimises the robust objective: fills `result.w`, `result.solve` and what else it found out.
void solve_robust(Channel& channel, std::span<const HomogeneousCloud> shards,
                  std::span<const Spectrum> views, const AnySolverOptions& solver,
                  const RobustOptions& robust, DpcpResult& result);

}  // namespace roadplane
