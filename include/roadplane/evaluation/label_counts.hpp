#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "roadplane/evaluation/confusion.hpp"
#include "roadplane/geometry/point.hpp"

namespace roadplane {

/// Distances from the sensor that are scored apart: a scan is dense near it and thin far away.
struct DistanceBand {
  float from_m;
  float to_m;  ///< not included
  std::string_view name;
};
inline constexpr std::array<DistanceBand, 4> kDistanceBands{
    {{0, 10, "0-10 m"},
     {10, 20, "10-20 m"},
     {20, 40, "20-40 m"},
     {40, std::numeric_limits<float>::infinity(), "40+ m"}}};

/// How the labels of one or several scans compare with the truth.
struct LabelCounts {
  Confusion all;
  /// The same by distance; missing returns (the origin, NaN, infinite) have none.
  std::array<Confusion, kDistanceBands.size()> by_distance;
  std::size_t left_out = 0;  ///< points that the scoring does not count

  LabelCounts& operator+=(const LabelCounts& other);
};

/// Labels hold 1 or 0 per point, the truth is that of scoring.hpp; throws std::invalid_argument if
/// they or the points differ in length.
LabelCounts count_labels(PointSpan points, std::span<const std::uint8_t> labels,
                         std::span<const std::uint8_t> truth);

}  // namespace roadplane
