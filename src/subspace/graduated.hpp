#pragma once

#include "roadplane/subspace/find_subspace.hpp"

namespace roadplane {

/// Minimises the objective divided by `curvature` from `x`. That of a robust loss begins with a
/// scale that gives up no point and halves it until it is the wanted one, since a small scale at
/// once sees the points near the start only (graduated non-convexity, Blake & Zisserman, 1987).
SolveResult<Eigen::Dynamic, Eigen::Dynamic> solve_graduated(
    Channel& channel, const SharedPoints& points, const SubspaceOptions& options,
    const AnySolverOptions& solver, double curvature, std::vector<Eigen::MatrixXd> x,
    Ledger& ledger);

}  // namespace roadplane
