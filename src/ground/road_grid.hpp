#pragma once

#include <numbers>

namespace roadplane {

/// Cells like those of ReliefGrid, four times as many columns and twice as many rings. An agent
/// whose points are too few for them puts two by two, or four by four, together.
struct RoadGrid {
  static constexpr int kColumns = 256;
  static constexpr int kRingsPerOctave = 16;
  static constexpr int kRings = 76;
  static constexpr int kFirstRing = 11;  ///< what is nearer is the vehicle
  static constexpr int kCells = kColumns * kRings;
  static constexpr int kCoarsest = 2;
  static constexpr float kInnerM = 3;   ///< [m] up to here rings hardly widen
  static constexpr float kReachM = 81;  ///< [m] no cell beyond

  static constexpr float begin_m(int ring) {
    const auto octave = static_cast<float>(1 << (ring / kRingsPerOctave));
    const float part = static_cast<float>(ring % kRingsPerOctave) / kRingsPerOctave;
    return kInnerM * (octave * (1 + part) - 1);
  }
  /// [m] from the sensor to the middle of so many rings put together.
  static constexpr float centre_m(int first, int rings) {
    return (begin_m(first) + begin_m(first + rings)) / 2;
  }
  static constexpr float column_rad(int level) {
    return static_cast<float>(2 * std::numbers::pi / (kColumns >> level));
  }
};
static_assert(RoadGrid::begin_m(RoadGrid::kRings) == RoadGrid::kReachM);

}  // namespace roadplane
