#pragma once

#include <span>

#include "roadplane/solver/dpcp.hpp"

namespace roadplane {

/// Runs the solver that the options are of.
SolveResult<4, 1> solve_with(const AnySolverOptions& chosen, Channel& channel,
                             Objectives<4, 1> objectives,
                             const std::vector<Eigen::Vector4d>& x_init);

/// Minimises the robust objective in whitened coordinates: fills `result.solve` and how it was
/// done.
void solve_robust(Channel& channel, std::span<const HomogeneousCloud> shards,
                  std::span<const Spectrum> views, const AnySolverOptions& solver,
                  const RobustOptions& robust, DpcpResult& result);

/// What the planes `result.w` say about mounting and second planes.
void judge(Channel& channel, std::span<const HomogeneousCloud> shards, const RobustOptions& robust,
           DpcpResult& result);

}  // namespace roadplane
