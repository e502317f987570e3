#pragma once

#include <Eigen/Core>
#include <string>

namespace roadplane {

/// What a driver would call the road: a plane below the sensor, near horizontal, at the height of a
/// robot's or a truck's sensor.
struct RoadPrior {
  double max_tilt_deg = 25;   ///< [deg] between the road's normal and the sensor's z axis
  double min_height_m = 0.2;  ///< [m] of the sensor above the road
  double max_height_m = 4;    ///< [m]

  /// Throws InputError naming the bad field and its range.
  void validate() const;
  bool admits(const Eigen::Vector4d& w) const;
};

/// The same for many planes, of any length: what the prior says is worked out once.
class RoadTest {
 public:
  explicit RoadTest(const RoadPrior& prior);

  bool admits(const Eigen::Vector4d& w) const { return at_height(w) && upright(w, w(2)); }
  bool at_height(const Eigen::Vector4d& w) const {
    const double squared = w.head<3>().squaredNorm();
    const double offset = w(3) * w(3);
    return offset >= least_offset_ * squared && offset <= most_offset_ * squared && squared > 0;
  }
  /// `along`: of the normal along the axis that points up.
  bool upright(const Eigen::Vector4d& w, double along) const {
    const double upwards = w(3) < 0 ? -along : along;
    return upwards > 0 && upwards * upwards >= least_cosine_ * w.head<3>().squaredNorm();
  }

 private:
  double least_offset_;  ///< squares of what they are for a unit normal
  double most_offset_;
  double least_cosine_;
};

/// How the sensor sits on the vehicle, judged by where the road is.
enum class Mounting {
  expected,     ///< z up, road within the prior's limits
  upside_down,  ///< the road is above: z points down
  other_axis,   ///< the road's normal is another axis, as in a camera's frame
  unclear,      ///< none of these: the plane may not be the road
};

Mounting mounting_of(const Eigen::Vector4d& w, const RoadPrior& prior);

/// The same hyperplane, unit, the sensor on the positive side.
inline Eigen::Vector4d towards_sensor(const Eigen::Vector4d& w) {
  return w.normalized() * (w(3) < 0 ? -1 : 1);
}

}  // namespace roadplane
