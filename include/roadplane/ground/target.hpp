#pragma once

#include <string_view>

#include "roadplane/dpcp/robust_options.hpp"
#include "roadplane/ground/labelling.hpp"

namespace roadplane {

/// What the labels mean.
enum class Target {
  plane,   ///< on the dominant plane, by the angle, as in the paper
  road,    ///< the road: what is driven on, up to its edges
  ground,  ///< all ground, however it rises and falls beside that plane
};

/// What points are measured from.
enum class Surface {
  plane,   ///< the one that the agents agree on
  relief,  ///< the ground that each agent finds over it
  road,    ///< the same; labels are the road's alone, up to its edges
};

/// Throws FieldError naming `surface`.
Surface surface_from_string(std::string_view name);
std::string_view to_string(Surface surface);
Surface default_surface(Target target);

/// Throws FieldError naming `target`.
Target target_from_string(std::string_view name);
std::string_view to_string(Target target);

PlaneSought plane_sought(Target target);

/// Up to which distance from the plane a point belongs to the target, unless asked for otherwise.
/// On planes found as they are here, these fixed numbers lose less F1 than any rule tried.
Threshold default_threshold(Target target);

}  // namespace roadplane
