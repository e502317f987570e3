#pragma once

#include <filesystem>
#include <span>

#include "fleet_vehicle.hpp"
#include "roadplane/mpi/process_group.hpp"

namespace roadplane {

/// Draws the fleet from above. This is an observer's view: a part of the points goes to the leader
/// for it.
void draw_moment(const MomentRecord& record, std::span<const FleetVehicle> hosted,
                 const std::filesystem::path& folder, const ProcessGroup& processes);

}  // namespace roadplane
