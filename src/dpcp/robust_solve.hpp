#pragma once

#include <span>

#include "roadplane/dpcp/dpcp.hpp"

namespace roadplane {

/// Runs the solver that the options are of.
SolveResult<4, 1> solve_with(const AnySolverOptions& chosen, Channel& channel,
                             Objectives<4, 1> objectives,
                             const std::vector<Eigen::Vector4d>& x_init);

/// Minimises the robust objective: fills `result.w`, `result.solve` and what else it found out.
void solve_robust(Channel& channel, std::span<const HomogeneousCloud> shards,
                  std::span<const Spectrum> views, const AnySolverOptions& solver,
                  const RobustOptions& robust, DpcpResult& result);

}  // namespace roadplane
