#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "roadplane/geometry/plane.hpp"
#include "roadplane/geometry/point.hpp"
#include "roadplane/kitti/synthetic/options.hpp"

namespace roadplane::kitti {

namespace synthetic {
class Street;
}

/// Several vehicles on one street, and how wrong they are about where they are.
struct FleetOptions {
  SceneOptions scene;         ///< its frames are the fleet's moments
  int vehicles = 4;           ///< 1..256
  double spacing_m = 15;      ///< [m] between vehicles of a lane, 6..200
  double place_noise_m = 0;   ///< [m] standard deviation of a pose's x and y, 0..10
  double yaw_noise_deg = 0;   ///< [deg] of its yaw, 0..20
  double height_noise_m = 0;  ///< [m] of its z, 0..10
  double tilt_noise_deg = 0;  ///< [deg] of its roll and its pitch, 0..20

  /// Throws InputError naming the field and its range.
  void validate() const;
};

/// One vehicle at one moment, and its truth.
struct SyntheticVehicle {
  Scan points;                        ///< in the sensor's frame
  std::vector<std::uint32_t> labels;  ///< SemanticKITTI classes
  Eigen::Isometry3d true_pose;        ///< of the sensor in the common frame
  Eigen::Isometry3d pose;             ///< what the vehicle believes
  Plane ground;                       ///< exact, below the vehicle, in the sensor's frame
};

/// A street with vehicles in both lanes. Every scan is a pure function of the options and its
/// numbers.
class SyntheticFleet {
 public:
  /// Throws InputError if the options are out of range.
  explicit SyntheticFleet(const FleetOptions& options);
  ~SyntheticFleet();

  SyntheticVehicle vehicle(int vehicle, int moment) const;
  /// Of the road in the common frame: x along the street, y to its left.
  double ground_m(double x, double y) const;

 private:
  FleetOptions options_;
  std::unique_ptr<const synthetic::Street> street_;
};

/// Writes every moment in the layout of OPV2V: FOLDER/VEHICLE/NNNNNN.pcd, .yaml with lidar_pose
/// (what the vehicle believes), true_lidar_pose and true_ground, and .label. Throws InputError if
/// `folder` is not new or empty, or cannot be written.
void write_fleet(const FleetOptions& options, const std::filesystem::path& folder,
                 const std::function<void(int done, int total)>& progress = {});

}  // namespace roadplane::kitti
