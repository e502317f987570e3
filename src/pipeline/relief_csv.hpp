#pragma once

#include <string>

#include "roadplane/geometry/plane.hpp"
#include "roadplane/ground/relief.hpp"

namespace roadplane {

/// An agent's relief as a table: after a line that begins with '#' and says in which frame it is,
/// one row per cell that the agent knows something of.
std::string relief_csv(const Relief& relief, const Plane& plane);

}  // namespace roadplane
