#pragma once

#include <optional>
#include <span>
#include <vector>

#include "fleet_vehicle.hpp"
#include "roadplane/network/channel.hpp"

namespace roadplane {

/// What a part of a fleet has agreed on.
struct FleetGround {
  GroundAgreement single;           ///< one plane for all of its places
  bool one_plane = true;            ///< that is the ground
  std::vector<PlaceGround> places;  ///< of the hosted vehicles; none if nobody has seen ground
};

/// What each of the hosted vehicles remembers of the moment before; none where nothing is tracked.
using Memories = std::span<const std::optional<GroundMemory>>;

/// All vehicles agree on one plane. Then each hears what its neighbours see of the ground at its
/// own place; where the fleet finds that this tells a vehicle's ground better than the one plane
/// does, the road is not one plane, and every vehicle takes the plane on which those agree who see
/// its place, itself included. `hosted` are in the channel's order.
FleetGround agree_on_places(Channel& channel, std::span<FleetVehicle* const> hosted,
                            std::uint64_t seed, Memories last = {});

}  // namespace roadplane
