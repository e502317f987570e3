#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "roadplane/geometry/shards.hpp"

namespace roadplane {

constexpr std::size_t kSectors = 4096;  ///< narrow ones around the sensor

/// Which of them each point lies in, ascending with the azimuth from -pi to pi. Points without an
/// azimuth (NaN) are in the last one. Adds the points of each to its count, where there are counts.
void find_sectors(const PointRows& points, std::span<std::uint16_t> sectors,
                  std::span<std::uint32_t> counts = {});

/// The sectors of a scan's points, and the number of points in each.
struct ScanSectors {
  explicit ScanSectors(std::size_t points) : of_points(points) {}
  /// Of the points from the scan's `first` on: a part of it, which is looked at once.
  void find(const PointRows& points, std::size_t first = 0) {
    find_sectors(points, std::span(of_points).subspan(first), counts);
  }

  RecycledVector<std::uint16_t> of_points;
  std::array<std::uint32_t, kSectors> counts{};
};

/// Positions part by part; parts end at the borders, which are places in the order by azimuth,
/// ascending. A part's points are in the order of the scan, those of a sector that is cut by a
/// border after the others. Linear in the number of points.
void part_by_azimuth(const PointRows& points, const ScanSectors& sectors,
                     std::span<const std::uint32_t> borders, RecycledVector<std::uint32_t>& order);

/// Shards of one part each.
Shards azimuth_shards(const PointRows& points, const ScanSectors& sectors, int agents);

}  // namespace roadplane
