#pragma once

#include <vector>

#include "primitive.hpp"
#include "roadplane/base/counter_random.hpp"

namespace roadplane::kitti::synthetic {

/// Where an object stands: street coordinates of its foot, and the direction it faces.
struct Stand {
  double x = 0;        ///< [m]
  double y = 0;        ///< [m]
  double z = 0;        ///< [m]
  double yaw_rad = 0;  ///< from +x to the left
};

using Primitives = std::vector<Primitive>;

/// [m] that a house reaches below its foot, because the ground under it is not level.
inline constexpr double kFoundationM = 2;
/// [m] from floor to floor.
inline constexpr double kStoreyM = 3;

/// Each appends one object made of a few solids; its look and size come from `random`.
void add_car(Primitives& out, const Stand& stand, bool moving, CounterRandom& random);
void add_tree(Primitives& out, const Stand& stand, CounterRandom& random);
void add_bush(Primitives& out, const Stand& stand, CounterRandom& random);
void add_hedge(Primitives& out, const Stand& stand, double length_m, CounterRandom& random);
void add_fence(Primitives& out, const Stand& stand, double length_m, CounterRandom& random);
void add_lamp(Primitives& out, const Stand& stand, CounterRandom& random);
void add_sign(Primitives& out, const Stand& stand, CounterRandom& random);
void add_person(Primitives& out, const Stand& stand, CounterRandom& random);
/// `stand` is the middle of the facade's foot, facing the street.
void add_building(Primitives& out, const Stand& stand, double length_m, CounterRandom& random);

}  // namespace roadplane::kitti::synthetic
