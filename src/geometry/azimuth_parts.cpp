#include "azimuth_parts.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "roadplane/geometry/four_points.hpp"
#include "roadplane/kernels/cloud_kernels.hpp"

namespace roadplane {
namespace {

/// Ascends with the azimuth from -pi to pi, as 0 to 4, without trigonometry. Points without an
/// azimuth (NaN) come last.
Quad pseudo_azimuth(const Coordinates& p) {
  const auto absolute = [](Quad v) { return v < 0.0F ? -v : v; };
  const Quad length = absolute(p.x) + absolute(p.y);
  const Quad slope = p.x / (length + std::numeric_limits<float>::min());
  const Quad turn = p.y < 0.0F ? 1.0F + slope : 3.0F - slope;
  return ((turn >= 0.0F) & (turn <= 4.0F)) ? turn : 4.0F - Quad{};
}

/// The part that a place in the order belongs to.
std::uint32_t part_at(std::span<const std::uint32_t> borders, std::uint32_t place) {
  return static_cast<std::uint32_t>(std::upper_bound(borders.begin(), borders.end(), place) -
                                    borders.begin());
}

/// By azimuth, and points of one azimuth by their positions.
void sort_by_azimuth(PointSpan points, std::vector<std::uint32_t>& positions) {
  Scan chosen;
  for (const std::uint32_t k : positions) chosen.push_back(points[k]);
  std::vector<float> azimuth(positions.size());
  for_each_four(chosen, azimuth.data(), pseudo_azimuth);
  std::vector<std::pair<float, std::uint32_t>> keys(positions.size());
  for (std::size_t k = 0; k < keys.size(); ++k) keys[k] = {azimuth[k], positions[k]};
  std::sort(keys.begin(), keys.end());
  for (std::size_t k = 0; k < keys.size(); ++k) positions[k] = keys[k].second;
}

}  // namespace

void find_sectors(PointSpan points, std::span<std::uint16_t> sectors) {
  if (points.empty()) return;
  cloud_kernels(active_isa()).sectors(&points.data()->x, points.size(), kSectors, sectors.data());
}

void part_by_azimuth(PointSpan points, std::span<const std::uint32_t> borders,
                     std::vector<std::uint32_t>& order) {
  thread_local std::vector<std::uint16_t> sector;  // serves all frames
  sector.resize(points.size());
  find_sectors(points, sector);
  std::vector<std::uint32_t> starts(kSectors + 1, 0);
  for (const std::uint16_t s : sector) ++starts[s + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());

  // The part of each sector, and those that are cut by a border.
  const auto parts = static_cast<std::uint32_t>(borders.size() + 1);
  std::vector<std::uint32_t> part_of(kSectors);
  std::vector<std::size_t> cut;
  std::uint32_t at = 0;
  for (std::size_t s = 0; s < kSectors; ++s) {
    while (at < borders.size() && borders[at] <= starts[s]) ++at;
    const bool is_cut = at < borders.size() && borders[at] < starts[s + 1];
    part_of[s] = is_cut ? parts + static_cast<std::uint32_t>(cut.size()) : at;
    if (is_cut) cut.push_back(s);
  }

  // Neighbours in a scan are mostly neighbours in space: a list stays at hand while it lasts.
  order.resize(points.size());
  std::vector<std::vector<std::uint32_t>> of_cut(cut.size());
  std::vector<std::uint32_t*> ends{order.data()};
  for (const std::uint32_t border : borders) {
    ends.push_back(order.data() + std::min<std::size_t>(border, order.size()));
  }
  for (std::size_t c = 0; c < cut.size(); ++c) {
    of_cut[c].resize(starts[cut[c] + 1] - starts[cut[c]]);
    ends.push_back(of_cut[c].data());
  }
  std::uint32_t part = 0;
  std::uint32_t* end = ends[0];
  for (std::uint32_t k = 0; k < sector.size(); ++k) {
    const std::uint32_t its = part_of[sector[k]];
    if (its != part) {
      ends[part] = end;
      part = its;
      end = ends[part];
    }
    *end++ = k;
  }
  ends[part] = end;
  for (std::size_t c = 0; c < cut.size(); ++c) {
    sort_by_azimuth(points, of_cut[c]);
    std::uint32_t place = starts[cut[c]];
    for (const std::uint32_t k : of_cut[c]) *ends[part_at(borders, place++)]++ = k;
  }
}

}  // namespace roadplane
