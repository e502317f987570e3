#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "roadplane/network/network.hpp"
#include "roadplane/pipeline/fleet_config.hpp"

namespace roadplane {

/// Vehicles that hear of each other, directly or through others, and who talks to whom.
struct FleetPart {
  std::vector<std::size_t> members;  ///< positions among those given, ascending
  Network network;                   ///< agent k is members[k]
};

/// Of vehicles at these places. By radio those within range can talk; each does so with the nearest
/// and with some that are farther away, so that news crosses the fleet in few steps.
std::vector<FleetPart> parts_of_fleet(std::span<const Eigen::Vector3d> places,
                                      const FleetConfig& config);

}  // namespace roadplane
