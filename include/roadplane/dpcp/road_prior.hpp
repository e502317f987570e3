#pragma once

#include <Eigen/Core>
#include <string>

namespace roadplane {

/// What may be a road: a plane that is near level. At which height the file's origin is above it
/// (or below, as in a frame of the vehicle or of a map) follows from the points.
struct RoadPrior {
  double max_tilt_deg = 25;    ///< [deg] between the road's normal and the file's z axis
  double min_height_m = -1e5;  ///< [m] of the origin above it
  double max_height_m = 1e5;   ///< [m]

  /// Throws InputError naming the bad field and its range.
  void validate() const;
};

/// The same for many floors: what the prior says is worked out once.
class RoadTest {
 public:
  explicit RoadTest(const RoadPrior& prior);

  /// Of n'p + offset = 0 with a unit normal that points up.
  bool admits(const Eigen::Vector4d& floor) const {
    return floor(2) >= least_cosine_ && floor(3) >= prior_.min_height_m &&
           floor(3) <= prior_.max_height_m;
  }

 private:
  RoadPrior prior_;
  double least_cosine_;
};

/// How the sensor sits on the vehicle, judged by where the road is.
enum class Mounting {
  expected,     ///< z up, road within the prior's limits
  upside_down,  ///< z points down
  other_axis,   ///< the road's normal is another axis, as in a camera's frame
  unclear,      ///< none of these: the plane may not be the road
};

/// Of a floor whose normal points away from what lies below it.
Mounting mounting_of(const Eigen::Vector4d& floor, const RoadPrior& prior);

}  // namespace roadplane
