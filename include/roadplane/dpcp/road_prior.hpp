#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>

namespace roadplane {

/// What a driver would call the road: a plane below the sensor, near horizontal, at a vehicle's
/// height.
struct RoadPrior {
  double max_tilt_deg = 20;   ///< [deg] between the road's normal and the sensor's z axis
  double min_height_m = 0.5;  ///< [m] of the sensor above the road
  double max_height_m = 4;    ///< [m]
  /// A plane outside these limits is believed only if it has that many times the support of the
  /// best one inside; then the sensor is mounted differently.
  double odds = 2;

  /// Throws InputError naming the bad field and its range.
  void validate() const;
  bool admits(const Eigen::Vector4d& w) const;
};

/// How the sensor sits on the vehicle, judged by where the road is.
enum class Mounting {
  expected,     ///< z up, road within the prior's limits
  upside_down,  ///< the road is above: z points down
  other_axis,   ///< the road's normal is another axis, as in a camera's frame
  unclear,      ///< none of these: the plane may not be the road
};

std::string_view to_string(Mounting mounting);
Mounting mounting_of(const Eigen::Vector4d& w, const RoadPrior& prior);

/// What a solve found out about the scene besides the plane.
struct RoadFinding {
  Mounting mounting = Mounting::expected;
  char up_axis = 'z';          ///< axis nearest to the road's normal: x, y or z
  bool prior_applied = false;  ///< another plane had more support at the start, but is no road
  bool lowered = false;        ///< points lay beyond the first plane found: a lower one was taken
  /// [m] of another large plane parallel to the road, above it; 0 if there is none. The solve keeps
  /// to the lower one: beyond a road there is nothing.
  double second_plane_m = 0;
  double second_plane_support = 0;  ///< its points near the sensor, relative to the road's

  /// One line of plain words for a record; empty if nothing is out of the ordinary.
  std::string note() const;
};

}  // namespace roadplane
