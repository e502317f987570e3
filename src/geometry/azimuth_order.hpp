#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "roadplane/geometry/point.hpp"

namespace roadplane {

constexpr std::size_t kSectors = 4096;  ///< narrow ones around the sensor

/// Which of them each point lies in, ascending with the azimuth from -pi to pi. Points without an
/// azimuth (NaN) are in the last one.
void find_sectors(PointSpan points, std::span<std::uint16_t> sectors);

/// Positions by azimuth, as far as shards need it: by sector, and exactly only within the sectors
/// that hold a border (a place in the order). Linear in the number of points.
void order_by_azimuth(PointSpan points, std::span<const std::uint32_t> borders,
                      std::vector<std::uint32_t>& order);

}  // namespace roadplane
