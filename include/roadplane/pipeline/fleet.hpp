#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "roadplane/dpcp/agree_on_ground.hpp"
#include "roadplane/kitti/fleet.hpp"
#include "roadplane/mpi/process_group.hpp"
#include "roadplane/pipeline/fleet_config.hpp"
#include "roadplane/pipeline/fleet_record.hpp"
#include "roadplane/pipeline/frame_track.hpp"

namespace roadplane {

/// The vehicles that a process hosts: their files are opened there, and nowhere else.
std::vector<std::size_t> hosted_vehicles(const kitti::Fleet& fleet, const ProcessGroup& processes);

/// The moments of all vehicles, sorted, as the configuration selects them. All processes call it.
std::vector<std::string> moments_of_fleet(const kitti::Fleet& fleet, const FleetConfig& config,
                                          const ProcessGroup& processes);

/// What a process remembers of the vehicles that it hosts, from moment to moment; by their numbers.
struct FleetTrack {
  std::vector<FrameTrack> planes;  ///< in their own scans
  std::vector<std::optional<GroundMemory>> grounds;

  /// Of so many vehicles and moments that are usually that far apart, by their numbers.
  FleetTrack(std::size_t vehicles, int spacing)
      : planes(vehicles, FrameTrack(spacing)), grounds(vehicles) {}
};

/// The whole job for one moment: every vehicle reads its own scan and pose and looks for the ground
/// in it; then each part of the fleet agrees on the ground, and every vehicle labels its own
/// points. What is wrong with a vehicle's files does not throw: it is its record's status. All
/// processes call it and get the whole record; the leader writes the picture, below `folder`, each
/// the labels of its own vehicles. With a track the moment begins at the one before.
MomentRecord segment_moment(const kitti::Fleet& fleet, const std::string& moment,
                            const FleetPlan& plan, const std::filesystem::path& folder,
                            const ProcessGroup& processes = SingleProcess(),
                            FleetTrack* track = nullptr);

}  // namespace roadplane
