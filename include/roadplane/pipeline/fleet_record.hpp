#pragma once

#include <Eigen/Core>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "roadplane/base/interval.hpp"
#include "roadplane/results/frame_record.hpp"

namespace roadplane {

/// How far a plane in the common frame is from the truth.
struct GroundError {
  double height_m = 0;
  double angle_deg = 0;
};

/// The true ground below a vehicle, and where it truly is.
struct GroundTruthAt {
  Eigen::Vector4d plane;  ///< n'p + d = 0, common frame
  Eigen::Vector3d position;

  /// Of a plane, at the vehicle's place; negative below.
  GroundError error_of(const Eigen::Vector4d& other) const;
};

/// Everything that is recorded of a vehicle at one moment.
struct VehicleRecord {
  std::string moment;
  std::string vehicle;
  FrameRecord frame;  ///< as of any scan: status, plane in its own frame, labels, costs
  int part = -1;      ///< of the fleet; -1: it could not take part
  std::vector<std::string> neighbours;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of the sensor, by its own pose

  double alone_height_m = 0;  ///< [m] over the plane that its own scan alone shows
  bool helped = false;        ///< the others have shown it another plane of its scan
  double roll_deg = 0;        ///< [deg] of the sensor over the ground
  double pitch_deg = 0;
  std::optional<double> tilt_half_deg;  ///< [deg] half the 95 % intervals of these two

  Eigen::Vector4d ground = Eigen::Vector4d::Zero();  ///< at its place, common frame: n'p + d = 0
  double ground_z_m = 0;                             ///< [m] below it, in the common frame
  double spread_m = 0;        ///< [m] deviation of what vehicles say of that ground
  double pose_high_m = 0;     ///< [m] by which its pose is too high, by what the others see
  double pose_roll_deg = 0;   ///< [deg] and turned too far
  double pose_pitch_deg = 0;  ///< [deg]
  bool pose_doubted = false;  ///< too far off to count
  double bytes_scan = 0;      ///< what shipping its scan would take

  Eigen::Vector4d alone_ground = Eigen::Vector4d::Zero();   ///< common frame; 0 if it saw none
  Eigen::Vector4d single_ground = Eigen::Vector4d::Zero();  ///< the one plane nearest to all places
  std::optional<GroundTruthAt> truth;                       ///< where it is known
};

/// Everything that is recorded of a part of a fleet: vehicles that hear of each other.
struct PartRecord {
  std::vector<std::string> vehicles;
  std::size_t links = 0;
  double slem = 0;
  int diameter = 0;
  bool one_plane = true;                            ///< for all of its places
  Eigen::Vector4d plane = Eigen::Vector4d::Zero();  ///< that one, n'p + d = 0; the nearest if none
  double spread_m = 0;                              ///< [m] deviation of the vehicles' own grounds
  bool tracked = false;                             ///< from the moment before
  std::int64_t iterations = 0;
  std::int64_t rounds = 0;
  double bytes_per_vehicle = 0;
};

struct MomentRecord {
  std::string moment;
  std::vector<PartRecord> parts;
  std::vector<VehicleRecord> vehicles;  ///< in the fleet's order, those that failed, too
};

/// [m] of a plane n'p + d = 0 above z = 0.
double height_at(const Eigen::Vector4d& plane, double x, double y);

/// Root mean squares of the errors of the ground, where the truth is known.
struct FleetErrors {
  struct Of {
    double fleet = 0;   ///< what the fleet agrees on
    double alone = 0;   ///< what a vehicle's own scan shows, by its own pose
    double single = 0;  ///< one plane for all
  };
  Of height_m;       ///< at the vehicles' places
  Of angle_deg;      ///< there
  Of ahead_m;        ///< at others' places, 20 to 60 m away
  int vehicles = 0;  ///< with a truth and a plane of their own
  int pairs_ahead = 0;
};
FleetErrors errors_of(const MomentRecord& record);

nlohmann::json to_json(const VehicleRecord& record);
/// Throws InputError naming `where` if the text is not a record.
VehicleRecord vehicle_record_from_json(const nlohmann::json& json, const std::string& where);
/// Without its vehicles' records.
nlohmann::json to_json(const MomentRecord& record);
nlohmann::json to_json(const PartRecord& record);
PartRecord part_record_from_json(const nlohmann::json& json);

}  // namespace roadplane
