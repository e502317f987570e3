#include "azimuth_parts.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "four_points.hpp"
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
void sort_by_azimuth(const PointRows& points, std::vector<std::uint32_t>& positions) {
  Scan chosen;
  for (const std::uint32_t k : positions) chosen.push_back(points[k]);
  std::vector<float> azimuth(positions.size());
  for_each_four(chosen, azimuth.data(), pseudo_azimuth);
  std::vector<std::pair<float, std::uint32_t>> keys(positions.size());
  for (std::size_t k = 0; k < keys.size(); ++k) keys[k] = {azimuth[k], positions[k]};
  std::sort(keys.begin(), keys.end());
  for (std::size_t k = 0; k < keys.size(); ++k) positions[k] = keys[k].second;
}

/// Points of some sectors that follow each other, on their way into one list.
struct Part {
  std::uint16_t first = 0;  ///< of its sectors
  std::uint16_t count = 0;
  std::uint32_t* end = nullptr;  ///< of its list

  bool has(std::uint16_t sector) const {
    return static_cast<std::uint16_t>(sector - first) < count;
  }
  bool has_eight(const std::uint16_t* sectors) const {
    typedef std::uint16_t Eight __attribute__((vector_size(16)));
    Eight eight;
    std::memcpy(&eight, sectors, sizeof(eight));
    const auto inside = eight - first < count;
    std::uint64_t halves[2];
    std::memcpy(halves, &inside, sizeof(halves));
    return (halves[0] & halves[1]) == ~std::uint64_t{0};
  }
};

/// Appends every point's position to its part's list. Neighbours in a scan are mostly neighbours in
/// space: a part stays at hand, and eight that belong to it are appended at once.
void deal_out(std::span<const std::uint16_t> sector, std::span<const std::uint32_t> part_of,
              std::span<Part> parts) {
  const auto size = static_cast<std::uint32_t>(sector.size());
  Part part = parts[0];
  std::uint32_t number = 0;
  for (std::uint32_t k = 0; k < size;) {
    if (k + 8 <= size && part.has_eight(&sector[k])) {
      for (std::uint32_t m = 0; m < 8; ++m) part.end[m] = k + m;
      part.end += 8;
      k += 8;
      continue;
    }
    if (!part.has(sector[k])) {
      parts[number] = part;
      number = part_of[sector[k]];
      part = parts[number];
    }
    *part.end++ = k++;
  }
  parts[number] = part;
}

}  // namespace

void find_sectors(const PointRows& points, std::span<std::uint16_t> sectors) {
  cloud_kernels(active_isa()).sectors(points.floats(), kSectors, sectors.data());
}

void part_by_azimuth(const PointRows& points, std::span<const std::uint32_t> borders,
                     RecycledVector<std::uint32_t>& order) {
  RecycledVector<std::uint16_t> sector(points.size());
  find_sectors(points, sector);
  std::vector<std::uint32_t> starts(kSectors + 1, 0);
  for (const std::uint16_t s : sector) ++starts[s + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());

  // The part of each sector; those that are cut by a border are parts of their own.
  order.resize(points.size());
  std::vector<Part> parts{{.end = order.data()}};
  for (const std::uint32_t border : borders) {
    parts.push_back({.end = order.data() + std::min<std::size_t>(border, order.size())});
  }
  std::vector<std::uint32_t> part_of(kSectors);
  std::vector<std::size_t> cut;
  std::vector<std::vector<std::uint32_t>> of_cut;
  std::uint32_t at = 0;
  for (std::size_t s = 0; s < kSectors; ++s) {
    while (at < borders.size() && borders[at] <= starts[s]) ++at;
    part_of[s] = at;
    if (at < borders.size() && borders[at] < starts[s + 1]) {
      cut.push_back(s);
      part_of[s] = static_cast<std::uint32_t>(parts.size());
      parts.push_back({.end = of_cut.emplace_back(starts[s + 1] - starts[s]).data()});
    }
    Part& part = parts[part_of[s]];
    if (part.count++ == 0) part.first = static_cast<std::uint16_t>(s);
  }
  deal_out(sector, part_of, parts);
  for (std::size_t c = 0; c < cut.size(); ++c) {
    sort_by_azimuth(points, of_cut[c]);
    std::uint32_t place = starts[cut[c]];
    for (const std::uint32_t k : of_cut[c]) *parts[part_at(borders, place++)].end++ = k;
  }
}

}  // namespace roadplane
