#pragma once

#include <Eigen/Core>
#include <vector>

#include "roadplane/base/aligned.hpp"
#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/kernels/floor_kernels.hpp"

namespace roadplane {

/// A plane n'p + offset = 0 with a unit normal that points up.
using Floor = Eigen::Vector4d;

/// What a floor may be found in: of every polar cell one of an agent's points, a tenth from below,
/// so that reflections below the ground drop out. Every cell counts once, however many points it
/// holds: walls and cars cannot outvote a floor.
class LowPoints {
 public:
  explicit LowPoints(const HomogeneousCloud& cloud);

  std::size_t size() const { return count_; }
  Eigen::Vector3d operator[](std::size_t k) const {
    const float* p = &groups_[k / kLanes * kGroupFloats + k % kLanes];
    return {p[0], p[kLanes], p[2 * kLanes]};
  }

  /// Up to so many tolerances beside a floor points are near it.
  static constexpr float kNear = 4;
  void weigh(const std::vector<Floor>& floors, FloorCounts* counts) const;
  /// Sums that settling_step() takes; in units that leave those of a point at about 1.
  void moments(const Floor& floor, double* sums) const;

 private:
  static constexpr std::size_t kLanes = HomogeneousCloud::kLanes;
  static constexpr std::size_t kGroupFloats = HomogeneousCloud::kGroupFloats;

  FloorPoints points() const { return {groups_.data(), (count_ + kLanes - 1) / kLanes}; }
  void add(const Eigen::Vector4d& column);

  AlignedVector<float> groups_;
  std::size_t count_ = 0;
};

/// A small turn and lift of a floor: of its normal along its two axes, and of its offset [m].
Floor moved_floor(const Floor& floor, const Eigen::Vector3d& step);
/// The step that moves one floor to the other.
Eigen::Vector3d step_between(const Floor& from, const Floor& to);
/// The step of reweighted least squares that such sums lead to.
Eigen::Vector3d settling_step(const double* sums);
/// The sine between two floors as they are seen from above the first one.
double sine_between(const Floor& one, const Floor& other);

}  // namespace roadplane
