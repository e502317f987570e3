#pragma once

#include <cstdint>
#include <span>

#include "roadplane/base/recycled.hpp"
#include "roadplane/geometry/point_rows.hpp"

namespace roadplane {

constexpr std::size_t kSectors = 4096;  ///< narrow ones around the sensor

/// Which of them each point lies in, ascending with the azimuth from -pi to pi. Points without an
/// azimuth (NaN) are in the last one. Adds the points of each to its count, where there are counts.
void find_sectors(const PointRows& points, std::span<std::uint16_t> sectors,
                  std::span<std::uint32_t> counts = {});

/// Positions part by part; parts end at the borders, which are places in the order by azimuth,
/// ascending. A part's points are in the order of the scan, those of a sector that is cut by a
/// border after the others. Linear in the number of points.
void part_by_azimuth(const PointRows& points, std::span<const std::uint32_t> borders,
                     RecycledVector<std::uint32_t>& order);

}  // namespace roadplane
