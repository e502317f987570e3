#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "roadplane/base/interval.hpp"
#include "roadplane/results/frame_record.hpp"

namespace roadplane {

/// How the sensor is turned against a road: Ry(pitch) Rx(roll) levels it, as --transform turns.
double roll_deg(const Plane& seen_by_sensor);
double pitch_deg(const Plane& seen_by_sensor);

/// A road as a sensor saw it, in the sensor's own frame.
struct RoadView {
  std::string sequence;
  std::string name;            ///< of the frame
  int frame = 0;               ///< its number
  std::optional<Plane> plane;  ///< nothing where it cannot be relied on
};

/// Planes of frames that are neither suspect nor failed.
std::vector<RoadView> road_views(std::span<const FrameRecord> records);

/// One number of a mount over many frames.
struct MountNumber {
  double value = 0;                     ///< mean, with outliers drawn in
  std::optional<Interval> interval_95;  ///< nothing where too few frames are independent
  double independent = 0;               ///< so many independent frames would tell as much
};

/// After a frame everything is otherwise, by so much.
struct MountStep {
  std::string after;  ///< the last frame before it
  double height_m = 0;
  double roll_deg = 0;
  double pitch_deg = 0;
};

/// How a sensor sits above the road, over the frames of a sequence that have a plane.
struct Mount {
  std::string sequence;
  std::size_t frames = 0;  ///< of the sequence
  std::size_t used = 0;    ///< with a plane
  MountNumber height_m;
  MountNumber roll_deg;
  MountNumber pitch_deg;
  std::optional<MountStep> moved;  ///< where the mount seems to have moved
};

/// One for each sequence that has such a frame, in the frames' order.
std::vector<Mount> mounts_of(std::span<const RoadView> views);

nlohmann::json to_json(const Mount& mount);
/// "1.731 m +- 0.004, roll 0.31 deg +- 0.05, pitch -0.12 deg +- 0.03 (271 frames)", and where it
/// seems to have moved.
std::string mount_text(const Mount& mount);

}  // namespace roadplane
