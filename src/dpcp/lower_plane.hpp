#pragma once

#include "reweighing.hpp"
#include "roadplane/dpcp/robust_options.hpp"

namespace roadplane {

/// The lowest plane that carries points, from the dominant one.
struct LowerPlane {
  AgentPlanes planes;
  bool lowered = false;  ///< it is not the one that the dominant plane leads to
};

/// Where sidewalks and grass outweigh the road, the plane that most points lie on runs between the
/// road and what is raised beside it. A loss in metres that forgives next to nothing above the
/// plane (less than a kerb) and much below leads down from there to the lowest plane that holds
/// points. It is taken if it is near the upper one and holds more points, or more than half as many
/// with hardly any just below it: a ditch or a verge does neither.
LowerPlane look_lower(Channel& channel, const Reweighing& reweighing, const AgentPlanes& dominant,
                      const RobustOptions& options);

}  // namespace roadplane
