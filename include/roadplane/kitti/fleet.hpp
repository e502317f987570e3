#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "roadplane/geometry/plane.hpp"
#include "roadplane/kitti/frame.hpp"
#include "roadplane/kitti/label_file.hpp"

namespace roadplane::kitti {

/// Several vehicles with a scan and a pose each. Nothing of a vehicle's own is opened before it is
/// asked for: who hosts one vehicle need not be able to read another's files.
struct Fleet {
  enum class Layout {
    scenario,  ///< SCENARIO/VEHICLE/NNNNN.pcd and .yaml, as OPV2V, V2V4Real and V2X-R have them
    moment,    ///< N_lidar.pcd and N.yaml of one moment in one folder
    convoy,    ///< frames of an odometry sequence with poses, as if of several vehicles
  };

  Layout layout = Layout::scenario;
  std::filesystem::path root;
  std::vector<std::string> vehicles;  ///< their names, by number where they are numbers
  std::vector<Frame> frames;          ///< of a convoy, one a vehicle
  std::vector<std::string> remarks;
};

/// `members` are the frames of a convoy ("0,10,20"); empty for the other layouts. Throws
/// InputError.
Fleet open_fleet(const std::filesystem::path& path, const std::string& members = {});

/// The moments of which a vehicle has a scan or a pose, sorted; opens this vehicle's folder only.
std::vector<std::string> moments_of(const Fleet& fleet, std::size_t vehicle);

/// What a vehicle knows at a moment.
struct VehicleScan {
  Frame frame;
  Scan points;
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();  ///< to the common frame, z up
  /// Exact, where the fleet is a generated one.
  std::optional<Eigen::Isometry3d> true_pose{};
  std::optional<Plane> true_ground{};  ///< below the vehicle, in its own frame
};

/// Throws InputError that names the file at fault.
VehicleScan read_vehicle(const Fleet& fleet, std::size_t vehicle, const std::string& moment);

/// A `lidar_pose` of OPV2V: x, y, z [m], roll, yaw, pitch [deg], turned as CARLA does.
using CarlaPose = std::array<double, 6>;
Eigen::Isometry3d pose_of(const CarlaPose& numbers);
CarlaPose numbers_of(const Eigen::Isometry3d& pose);

}  // namespace roadplane::kitti
