#pragma once

namespace roadplane {

/// Cells around the sensor in which the ground has one height each: columns of equal azimuth, cut
/// into rings that widen with the distance, as the spacing of a scan's points does. The grid is the
/// same for all agents, so that they can speak of a cell by its number.
struct ReliefGrid {
  static constexpr int kColumns = 64;
  static constexpr int kRingsPerOctave = 8;  ///< of the distance and kInnerM
  static constexpr int kOctaves = 6;
  static constexpr int kRings = kRingsPerOctave * kOctaves;
  static constexpr int kCells = kColumns * kRings;  ///< a column's rings follow each other
  static constexpr float kInnerM = 3;               ///< [m] up to here rings hardly widen

  static constexpr float kReachM = kInnerM * ((1 << kOctaves) - 1);  ///< [m] no cell beyond

  /// [m] horizontal distance at which a ring begins.
  static constexpr float begin_m(int ring) {
    const auto octave = static_cast<float>(1 << (ring / kRingsPerOctave));
    const float part = static_cast<float>(ring % kRingsPerOctave) / kRingsPerOctave;
    return kInnerM * (octave * (1 + part) - 1);
  }
  static constexpr float width_m(int ring) { return begin_m(ring + 1) - begin_m(ring); }
  static constexpr float centre_m(int ring) { return (begin_m(ring) + begin_m(ring + 1)) / 2; }
};

}  // namespace roadplane
