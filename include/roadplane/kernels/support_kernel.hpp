#pragma once

#include <cstddef>
#include <limits>

#include "roadplane/kernels/isa.hpp"
#include "roadplane/kernels/thinned_groups.hpp"

namespace roadplane {

/// What speaks for a hyperplane: 1 for a column on it, falling to 0 at the scale on either side,
/// minus `blame` for a column beyond the scale below. The side of the sensor is above.
struct SupportRule {
  float scale;      ///< [rad] of |w'b|
  float near = 0;   ///< [1/m^2] columns count at most their squared range times this; 0 is off
  float blame = 0;  ///< columns on the plane that one below it outweighs,
  float depth = std::numeric_limits<float>::infinity();  ///< [scales] down to here
};

/// For each of `count` unit hyperplanes (one or more, four numbers each) the sum over the columns
/// of what speaks for it, (1 - t)^3 with t = (y / scale)^2; then, as entry `count`, the number of
/// columns. Columns count as their range says.
using SupportKernel = void (*)(const ThinnedGroups& columns, const double* planes,
                               std::size_t count, const SupportRule& rule, double* support);

SupportKernel support_kernel(Isa isa);

}  // namespace roadplane
