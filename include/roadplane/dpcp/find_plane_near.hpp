#pragma once

#include <Eigen/Core>
#include <span>

#include "roadplane/dpcp/find_plane.hpp"

namespace roadplane {

/// find_plane() for agents who all know about where the plane is: no floor is looked for, the solve
/// descends from `floor`, n'p + offset = 0 with a unit normal that points up. Throws FieldError if
/// the objective is not the robust one.
PlaneFit find_plane_near(Channel& channel, std::span<const HomogeneousCloud> clouds,
                         const PlaneOptions& options, const Eigen::Vector4d& floor);

}  // namespace roadplane
