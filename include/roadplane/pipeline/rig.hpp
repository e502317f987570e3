#pragma once

#include <span>
#include <string>
#include <vector>

#include "roadplane/geometry/plane.hpp"
#include "roadplane/pipeline/extrinsic.hpp"
#include "roadplane/pipeline/segment_scan.hpp"

namespace roadplane {

/// One of several LiDARs of a vehicle, at one moment.
struct RigScan {
  std::string name;
  Extrinsic extrinsic;
  PointSpan points = {};  ///< in the LiDAR's own frame
};

/// A value that is within `half_width` of the true one with a probability of 95 %.
struct Measured {
  double value = 0;
  double half_width = 0;
};

/// How a LiDAR's own view of the road fits what the others see of it.
struct LidarCheck {
  enum class Verdict {
    fits,
    differs,    ///< by more than its interval and what a road's own shape makes
    reference,  ///< no other one fits it; the others are compared with it
    no_plane,   ///< it sees no road, or its plane is doubted
  };

  std::string name;
  Verdict verdict = Verdict::no_plane;
  std::string note;     ///< why there is no plane
  Plane own;            ///< in the LiDAR's own frame
  Measured angle_deg;   ///< between the road as it sees it and as the others do
  Measured roll_deg;    ///< to be added to the extrinsic's for the two to be one
  Measured pitch_deg;   ///< likewise
  Measured z_m;         ///< likewise
  Extrinsic corrected;  ///< with the three added; yaw, x and y as they were
};

std::string_view to_string(LidarCheck::Verdict verdict);

/// Each LiDAR finds the plane of the road in its own points, around its own place; its extrinsic
/// may be wrong by up to 80 degrees, and the LiDAR may hang upside down where it says so. They are
/// compared in the vehicle's frame with the mean plane of those that fit together: most of
/// them, or, where it is a tie, those that see the road most nearly level. The road says nothing of
/// yaw, x and y.
std::vector<LidarCheck> check_rig(std::span<const RigScan> scans, const SegmentConfig& config);

/// The same of several moments: medians, and intervals that shrink with their number.
std::vector<LidarCheck> combined(std::span<const std::vector<LidarCheck>> moments,
                                 std::span<const RigScan> scans);

/// The road that all LiDARs agree on, each an agent that holds its own points, placed as
/// `checks` has corrected those that differ; in the vehicle's frame. Labels are of all points,
/// LiDAR after LiDAR.
Segmentation segment_rig(std::span<const RigScan> scans, std::span<const LidarCheck> checks,
                         const SegmentConfig& config, const std::string& name);

}  // namespace roadplane
