#include "azimuth_parts.hpp"

#include <algorithm>
#include <bit>
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
  chosen.reserve(positions.size());
  for (const std::uint32_t k : positions) chosen.push_back(points[k]);
  std::vector<float> azimuth(positions.size());
  for_each_four(chosen, azimuth.data(), pseudo_azimuth);
  std::vector<std::pair<float, std::uint32_t>> keys(positions.size());
  for (std::size_t k = 0; k < keys.size(); ++k) keys[k] = {azimuth[k], positions[k]};
  std::sort(keys.begin(), keys.end());
  for (std::size_t k = 0; k < keys.size(); ++k) positions[k] = keys[k].second;
}

constexpr std::uint32_t kEight = 8;

/// Points of some sectors that follow each other, on their way into one list.
struct Part {
  std::uint16_t first = 0;  ///< of its sectors
  std::uint16_t count = 0;
  std::uint32_t* end = nullptr;    ///< of its list, and
  std::uint32_t* limit = nullptr;  ///< of the room for it

  /// How many of eight points that follow each other are the part's, up to the first that is not.
  std::uint32_t of_eight(const std::uint16_t* sectors) const {
    typedef std::uint16_t Sectors __attribute__((vector_size(2 * kEight)));
    Sectors eight;
    std::memcpy(&eight, sectors, sizeof(eight));
    const auto outside = eight - first >= count;
    std::uint64_t halves[2];
    std::memcpy(halves, &outside, sizeof(halves));
    constexpr int kBits = 16;
    if (halves[0] != 0) return static_cast<std::uint32_t>(std::countr_zero(halves[0]) / kBits);
    return static_cast<std::uint32_t>(4 + std::countr_zero(halves[1]) / kBits);
  }
};

/// Appends every point's position to its part's list. Neighbours in a scan are mostly neighbours in
/// space: a part stays at hand, and eight that belong to it are appended at once.
void deal_out(std::span<const std::uint16_t> sector, std::span<const std::uint32_t> part_of,
              std::span<Part> parts) {
  const auto size = static_cast<std::uint32_t>(sector.size());
  std::uint32_t k = 0;
  while (k + kEight <= size) {
    Part& its = parts[part_of[sector[k]]];
    Part part = its;
    std::uint32_t own = 0;
    do {
      own = part.of_eight(&sector[k]);
      const bool room = part.limit - part.end >= kEight;  // also for those that are not its own
      for (std::uint32_t m = 0; m < (room ? kEight : own); ++m) part.end[m] = k + m;
      part.end += own;
      k += own;
    } while (own == kEight && k + kEight <= size);
    its.end = part.end;
  }
  for (; k < size; ++k) *parts[part_of[sector[k]]].end++ = k;
}

/// The parts between borders, and which of them each sector belongs to; those that are cut by a
/// border are to be parts of their own, after the others.
struct Parting {
  std::vector<Part> parts;
  std::vector<std::uint32_t> part_of;
  std::vector<std::size_t> cut;
};

/// Sector s is what is from starts[s] to starts[s + 1] in the order by azimuth.
Parting part_sectors(std::span<const std::uint32_t> starts, std::span<const std::uint32_t> borders,
                     std::span<std::uint32_t> order) {
  std::vector<Part> parts(borders.size() + 1);
  std::vector<std::uint32_t> part_of(kSectors);
  std::vector<std::size_t> cut;
  std::uint32_t* begin = order.data();
  std::size_t first = 0;  // of the sectors that have no part yet
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::uint32_t all = starts.back();
    const std::uint32_t border = i < borders.size() ? std::min(borders[i], all) : all;
    parts[i] = {.end = begin, .limit = order.data() + border};
    begin = parts[i].limit;
    const auto left = starts.subspan(first);
    if (border < left.front()) continue;  // it is in a sector that is cut already
    const auto above = std::upper_bound(left.begin(), left.end(), border) - left.begin();
    const std::size_t end = first + static_cast<std::size_t>(above) - 1;
    std::fill(part_of.data() + first, part_of.data() + end, static_cast<std::uint32_t>(i));
    parts[i].first = static_cast<std::uint16_t>(first);
    parts[i].count = static_cast<std::uint16_t>(end - first);
    first = end;
    if (starts[end] == border) continue;
    part_of[end] = static_cast<std::uint32_t>(parts.size() + cut.size());
    cut.push_back(end);
    ++first;
  }
  return {std::move(parts), std::move(part_of), std::move(cut)};
}

}  // namespace

void find_sectors(const PointRows& points, std::span<std::uint16_t> sectors,
                  std::span<std::uint32_t> counts) {
  cloud_kernels(active_isa()).sectors(points.floats(), kSectors, sectors.data(), counts.data());
}

void part_by_azimuth(const PointRows& points, const ScanSectors& sectors,
                     std::span<const std::uint32_t> borders, RecycledVector<std::uint32_t>& order) {
  std::array<std::uint32_t, kSectors + 1> starts{};
  std::partial_sum(sectors.counts.begin(), sectors.counts.end(), starts.begin() + 1);
  order.resize(points.size());
  auto [parts, part_of, cut] = part_sectors(starts, borders, order);
  std::vector<std::vector<std::uint32_t>> of_cut;
  for (const std::size_t s : cut) {
    std::vector<std::uint32_t>& its = of_cut.emplace_back(starts[s + 1] - starts[s]);
    parts.push_back({static_cast<std::uint16_t>(s), 1, its.data(), its.data() + its.size()});
  }
  deal_out(sectors.of_points, part_of, parts);
  for (std::size_t c = 0; c < cut.size(); ++c) {
    sort_by_azimuth(points, of_cut[c]);
    std::uint32_t place = starts[cut[c]];
    for (const std::uint32_t k : of_cut[c]) *parts[part_at(borders, place++)].end++ = k;
  }
}

Shards azimuth_shards(const PointRows& points, const ScanSectors& sectors, int agents) {
  Shards shards{{}, shard_begins(points.size(), agents)};
  part_by_azimuth(points, sectors, std::span(shards.begins).subspan(1), shards.order);
  return shards;
}

}  // namespace roadplane
