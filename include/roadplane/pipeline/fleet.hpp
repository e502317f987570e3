#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "roadplane/kitti/fleet.hpp"
#include "roadplane/mpi/process_group.hpp"
#include "roadplane/pipeline/fleet_config.hpp"
#include "roadplane/pipeline/fleet_record.hpp"

namespace roadplane {

/// The vehicles that a process hosts: their files are opened there, and nowhere else.
std::vector<std::size_t> hosted_vehicles(const kitti::Fleet& fleet, const ProcessGroup& processes);

/// The moments of all vehicles, sorted, as the configuration selects them. All processes call it.
std::vector<std::string> moments_of_fleet(const kitti::Fleet& fleet, const FleetConfig& config,
                                          const ProcessGroup& processes);

/// The whole job for one moment: every vehicle reads its own scan and pose and looks for the ground
/// in it; then each part of the fleet agrees on the ground, and every vehicle labels its own
/// points. What is wrong with a vehicle's files does not throw: it is its record's status. All
/// processes call it and get the whole record; the leader writes the picture, below `folder`, each
/// the labels of its own vehicles.
MomentRecord segment_moment(const kitti::Fleet& fleet, const std::string& moment,
                            const FleetPlan& plan, const std::filesystem::path& folder,
                            const ProcessGroup& processes = SingleProcess());

}  // namespace roadplane
