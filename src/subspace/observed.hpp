#pragma once

#include <Eigen/Core>
#include <vector>

#include "roadplane/subspace/solve_table.hpp"

namespace roadplane {

/// What all agents' results say together, as only an observer sees it: mean, order of columns,
/// errors.
Solved observe_result(const Channel& channel, const SharedPoints& points, SubspaceFit fit,
                      const SolvePlan& plan);

}  // namespace roadplane
