#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "roadplane/ground/road.hpp"

namespace roadplane {

/// Where a distance lies among the knots of a curve over it.
struct CurvePlace {
  int knot = 0;
  float beyond = 0;  ///< part of the way to the next knot
};

CurvePlace curve_place(float range_m);

/// Of what a cell is said to be by a number that is learnt from the scan.
enum class RoadCue { reflectance, roughness };

/// What agents add up of cells that are road and of such that are not; each number is sent.
class RoadSums {
 public:
  static constexpr int kKnots = 2;
  static constexpr int kOfCue = 4 * kKnots + 1;
  static constexpr int kWidth = 2 * kOfCue + 5;

  /// How much of a cell is road and how much other ground; both at most 1.
  void add(RoadCue cue, const CurvePlace& place, float value, float road, float other);
  void add_off(float off_m, float road) {
    numbers_[kOff] += road;
    numbers_[kOff + 1] += static_cast<double>(road) * off_m * off_m;
  }
  void add_area(double road_m2) { numbers_[kArea] += road_m2; }
  void add_near(float road, float other) {
    numbers_[kNear] += road;
    numbers_[kNear + 1] += other;
  }

  std::span<double, kWidth> numbers() { return numbers_; }
  /// [m] root of the mean square of what the road is off its profile; 0 if there is no road.
  float off_m() const;
  RoadExtent extent(int agents) const;

  /// A cue's share of the numbers: weights and weighted values by knot, and the weighted square of
  /// all values.
  struct OfCue {
    std::span<const double, kKnots> road, road_sum, other, other_sum;
    double squares;
  };
  OfCue of(RoadCue cue) const;

 private:
  static constexpr int kOff = 2 * kOfCue;
  static constexpr int kArea = kOff + 2;
  static constexpr int kNear = kArea + 1;

  std::array<double, kWidth> numbers_{};
};

/// How a cue of the road runs over the distance, and how other ground differs from it.
class LearntCue {
 public:
  LearntCue() = default;
  /// `sums` are of one agent of so many, or the mean of all.
  LearntCue(RoadCue cue, const RoadSums& sums, int agents);

  /// Log odds of road; 0 as long as nothing is known, or where all ground is alike.
  float odds(const CurvePlace& place, float value) const;

 private:
  std::array<float, RoadSums::kKnots> curve_{};
  float deviation_ = 1;
  float contrast_ = 0;  ///< of other ground, in deviations
};

}  // namespace roadplane
