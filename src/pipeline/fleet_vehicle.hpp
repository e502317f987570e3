#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "roadplane/dpcp/agree_on_ground.hpp"
#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/kitti/fleet.hpp"
#include "roadplane/pipeline/fleet_config.hpp"
#include "roadplane/pipeline/fleet_record.hpp"
#include "roadplane/pipeline/frame_track.hpp"

namespace roadplane {

/// What a fleet has agreed on at a vehicle's place.
struct PlaceGround {
  Eigen::Vector4d plane = Eigen::Vector4d::Zero();  ///< n'p + d = 0, common frame
  double spread_m = 0;                              ///< [m] deviation of what vehicles say
  double scale_m = 0;                               ///< [m] who is farther apart did not count
  double views = 0;                                 ///< of so many vehicles
  bool bent = false;                                ///< the road is not one plane; then
  // what the poses of the neighbours that see this place are usually off by.
  double usual_high_m = 0;
  double usual_tilt_deg = 0;
};

/// A vehicle of a moment as the process that hosts it sees it: nobody else sees its points.
class FleetVehicle {
 public:
  /// Reads its files and finds the plane of its own scan, or goes on with its track of it. What is
  /// wrong with them becomes the record's status; nothing throws.
  FleetVehicle(const kitti::Fleet& fleet, std::size_t number, const std::string& moment,
               const FleetPlan& plan, FrameTrack* track = nullptr);

  std::size_t number() const { return number_; }
  /// Whether it has a pose and points.
  bool takes_part() const { return loaded_; }
  Eigen::Vector3d position() const { return scan_.pose.translation(); }
  VehicleRecord& record() { return record_; }
  const VehicleRecord& record() const { return record_; }

  /// What it says of the ground below it, in the common frame; nothing if it has found none.
  std::optional<GroundView> view() const;
  /// And of that at another place, by its points there.
  std::optional<GroundView> view_at(const Eigen::Vector3d& place);

  /// The others see this ground here and agree on it to `spread_m`. Where its own scan has points
  /// there, too, that is the ground, whatever else it has found alone; true if it changes its mind.
  bool consider(const Eigen::Vector4d& ground, double spread_m);

  /// Labels its points by its own plane and writes them, and the record's last lines. Of a fleet
  /// that has agreed on `ground` here, and on the one plane `single`.
  void finish(const PlaceGround& ground, const Eigen::Vector4d& single,
              const std::filesystem::path& folder);

  /// A point in the common frame, for a picture.
  struct Seen {
    float x;
    float y;
    bool labelled;
  };
  /// Some of its points, once they are labelled.
  std::vector<Seen> seen() const;

 private:
  void load(const kitti::Fleet& fleet, const std::string& moment);
  void find_alone(FrameTrack* track);
  void take(PlaneFit fit);
  Eigen::Vector4d in_own_frame(const Eigen::Vector4d& ground) const;
  const std::vector<Eigen::Vector3d>& ground_points();
  void check_pose(const GroundView& view, const PlaceGround& ground);
  void weigh_with_others(const PlaceGround& ground);
  void label(const std::filesystem::path& folder);

  std::size_t number_;
  const FleetPlan& plan_;
  kitti::VehicleScan scan_;
  Shards shards_;                         ///< of its own agents
  std::vector<HomogeneousCloud> clouds_;  ///< theirs
  bool loaded_ = false;
  std::optional<PlaneFit> fit_;                 ///< in its own frame
  Plane plane_;                                 ///< the same
  Plane alone_;                                 ///< what its own scan alone shows
  std::vector<Eigen::Vector3d> ground_points_;  ///< in the common frame, around its plane
  bool ground_known_ = false;
  std::vector<std::uint8_t> labels_;
  VehicleRecord record_;
};

}  // namespace roadplane
