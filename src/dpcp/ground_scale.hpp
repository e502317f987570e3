#pragma once

#include <optional>
#include <vector>

#include "roadplane/network/channel.hpp"

namespace roadplane {

/// [m] of what the hosted agents see from what all agree on; none of who sees nothing.
using Distances = std::vector<std::optional<double>>;

/// Whether most of all agents that see anything are so near; all say the same.
bool most_are_within(Channel& channel, const Distances& distances_m, double near_m);

/// [m] The finest scale, `finest_m` or that times a power of two, of which most are within the
/// share `near`; all say the same.
double scale_of_most_m(Channel& channel, const Distances& distances_m, double near,
                       double finest_m);

}  // namespace roadplane
