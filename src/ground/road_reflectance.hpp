#pragma once

#include <array>
#include <span>

#include "roadplane/ground/road.hpp"

namespace roadplane {

/// Where a distance lies among the knots of the curve of reflectance over it.
struct CurvePlace {
  int knot = 0;
  float beyond = 0;  ///< part of the way to the next knot
};

CurvePlace curve_place(float range_m);

/// What agents add up of cells that are road and of such that are not.
class RoadSums {
 public:
  static constexpr int kKnots = 4;
  static constexpr int kMoments = 3;  ///< weight, weighted reflectance and its square
  static constexpr int kWidth = 2 * kKnots * kMoments + 3;

  /// How much of a cell is road and how much other ground; both at most 1.
  void add(const CurvePlace& place, float reflectance, float road, float other);
  void add_area(double road_m2) { numbers_[kArea] += road_m2; }
  void add_near(float road, float other) {
    numbers_[kNear] += road;
    numbers_[kNear + 1] += other;
  }

  std::span<double, kWidth> numbers() { return numbers_; }
  RoadExtent extent(int agents) const;

 private:
  friend class RoadReflectance;
  static constexpr int kArea = 2 * kKnots * kMoments;
  static constexpr int kNear = kArea + 1;

  double moment(int knot, bool other, int power) const {
    return numbers_[static_cast<std::size_t>((knot * 2 + (other ? 1 : 0)) * kMoments + power)];
  }

  std::array<double, kWidth> numbers_{};
};

/// What the road reflects over the distance, and how other ground differs from it.
class RoadReflectance {
 public:
  RoadReflectance() = default;
  /// `sums` are of one agent of so many, or the mean of all.
  RoadReflectance(const RoadSums& sums, int agents, const RoadOptions& options);

  /// Log odds of road; 0 as long as nothing is known, or where all reflect alike.
  float odds(const CurvePlace& place, float reflectance) const;

 private:
  std::array<float, RoadSums::kKnots> curve_{};
  float deviation_ = 1;
  float contrast_ = 0;  ///< of other ground, in deviations
};

}  // namespace roadplane
