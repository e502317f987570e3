#include "roadplane/geometry/scan_share.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "azimuth_parts.hpp"

namespace roadplane {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 15;  // points read at a time: 512 kB, which most
                                                      // processors' second caches hold

/// Calls visit(position of its first point, points) for every block of the scan.
template <class Visit>
void for_each_block(const PointSource& scan, const Visit& visit) {
  Scan block(std::min(kBlock, scan.size()));
  for (std::size_t first = 0; first < scan.size(); first += block.size()) {
    const std::size_t count = std::min(block.size(), scan.size() - first);
    scan.read(first, std::span(block).first(count));
    visit(first, PointSpan(block).first(count));
  }
}

/// Which places of the scan's order belong to the hosted agents, and the borders between them.
struct Range {
  std::vector<std::uint32_t> begins;  ///< of the hosted agents, and the end of the last one

  std::uint32_t begin() const { return begins.front(); }
  std::uint32_t end() const { return begins.back(); }
  std::size_t size() const { return end() - begin(); }
  /// The same with places counted from `start`; a border before it is left out.
  std::vector<std::uint32_t> borders_from(std::uint32_t start) const {
    std::vector<std::uint32_t> borders;
    for (const std::uint32_t b : begins) {
      if (b > 0) borders.push_back(b - start);  // the scan's own beginning is none
    }
    return borders;
  }
};

void keep(ScanShare& share, std::size_t position, const Point& point) {
  share.positions.push_back(static_cast<std::uint32_t>(position));
  share.points.push_back(point);
}

void reserve(ScanShare& share, std::size_t count) {
  share.positions.reserve(count);
  share.points.reserve(count);
}

/// Only the agents' own part of the scan is read.
void take_contiguous(const PointSource& scan, const Range& range, ScanShare& share) {
  share.points.resize(range.size());
  scan.read(range.begin(), share.points);
  share.positions.resize(range.size());
  std::iota(share.positions.begin(), share.positions.end(), range.begin());
  share.shards.order.resize(range.size());
  std::iota(share.shards.order.begin(), share.shards.order.end(), 0U);
}

void take_interleaved(const PointSource& scan, const Range& range, int agents, int first, int count,
                      ScanShare& share) {
  reserve(share, range.size());
  int agent = 0;
  for_each_block(scan, [&](std::size_t position, PointSpan points) {
    for (const Point& point : points) {
      if (agent >= first && agent < first + count) keep(share, position, point);
      agent = agent + 1 < agents ? agent + 1 : 0;
      ++position;
    }
  });
  // What is kept goes round the hosted agents in turn.
  share.shards.order = make_shards(share.points, ShardKind::interleaved, count).order;
}

void take_random(const PointSource& scan, const Range& range, std::uint64_t seed,
                 ScanShare& share) {
  constexpr std::uint32_t kNotOurs = ~0U;
  std::vector<std::uint32_t> place(scan.size(), kNotOurs);  // of a position in the agents' shards
  {
    const RecycledVector<std::uint32_t> order = shuffled_positions(scan.size(), seed);
    for (std::uint32_t k = range.begin(); k < range.end(); ++k) place[order[k]] = k - range.begin();
  }
  reserve(share, range.size());
  share.shards.order.resize(range.size());
  for_each_block(scan, [&](std::size_t first, PointSpan points) {
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (place[first + k] == kNotOurs) continue;
      share.shards.order[place[first + k]] = static_cast<std::uint32_t>(share.points.size());
      keep(share, first + k, points[k]);
    }
  });
}

/// Leaves out the points that `order` does not name.
void keep_only(const RecycledVector<std::uint32_t>& order, ScanShare& share) {
  constexpr std::uint32_t kOut = ~0U;
  std::vector<std::uint32_t> moved(share.points.size(), kOut);
  for (const std::uint32_t k : order) moved[k] = 0;
  std::uint32_t kept = 0;
  for (std::size_t k = 0; k < moved.size(); ++k) {
    if (moved[k] == kOut) continue;
    moved[k] = kept;
    share.points[kept] = share.points[k];
    share.positions[kept++] = share.positions[k];
  }
  share.points.resize(kept);
  share.positions.resize(kept);
  share.shards.order.resize(kept);
  std::transform(order.begin(), order.end(), share.shards.order.begin(),
                 [&](std::uint32_t k) { return moved[k]; });
}

/// Reads the scan twice: to count the points of each sector, and to take those of the sectors that
/// hold the agents' range. The points of a sector that is cut must all be there to be ordered.
void take_azimuth(const PointSource& scan, const Range& range, ScanShare& share) {
  if (range.size() == 0) return;
  std::array<std::uint32_t, kSectors + 1> starts{};
  std::vector<std::uint16_t> sectors(std::min(kBlock, scan.size()));
  for_each_block(scan, [&](std::size_t, PointSpan points) {
    find_sectors(points, sectors, std::span(starts).subspan(1));
  });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  const auto sector_at = [&](std::uint32_t place) {
    return std::upper_bound(starts.begin(), starts.end(), place) - starts.begin() - 1;
  };
  const auto lowest = sector_at(range.begin());
  const auto highest = sector_at(range.end() - 1);
  const std::uint32_t start = starts[lowest];
  reserve(share, starts[highest + 1] - start);
  for_each_block(scan, [&](std::size_t first, PointSpan points) {
    find_sectors(points, sectors);
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (sectors[k] >= lowest && sectors[k] <= highest) keep(share, first + k, points[k]);
    }
  });
  ScanSectors own(share.points.size());
  own.find(share.points);
  RecycledVector<std::uint32_t> order;
  part_by_azimuth(share.points, own, range.borders_from(start), order);
  order.resize(range.end() - start);
  order.erase(order.begin(), order.begin() + (range.begin() - start));
  keep_only(order, share);
}

}  // namespace

void ScanInMemory::read(std::size_t first, std::span<Point> into) const {
  std::copy_n(points_.begin() + static_cast<std::ptrdiff_t>(first), into.size(), into.begin());
}

/// As FNV-1a, eight bytes at a time.
std::uint64_t checksum_of(const PointSource& scan) {
  static_assert(sizeof(Point) == 2 * sizeof(std::uint64_t));
  std::uint64_t sum = 0xcbf29ce484222325;
  for_each_block(scan, [&](std::size_t, PointSpan points) {
    for (const Point& point : points) {
      const auto words = std::bit_cast<std::array<std::uint64_t, 2>>(point);
      for (const std::uint64_t word : words) sum = (sum ^ word) * 0x100000001b3;
    }
  });
  return sum;
}

ScanShare whole_share(Scan scan, ShardKind kind, int agents, std::uint64_t seed) {
  ScanShare share{scan.size(), std::move(scan), {}, {}, 0};
  share.shards = make_shards(share.points, kind, agents, seed);
  return share;
}

ScanShare whole_share(const PointSource& scan, ShardKind kind, int agents, std::uint64_t seed) {
  Scan points(scan.size());
  const bool azimuth = kind == ShardKind::azimuth;
  ScanSectors sectors(azimuth ? points.size() : 0);
  for (std::size_t first = 0; first < points.size(); first += kBlock) {
    const auto block = std::span(points).subspan(first, std::min(kBlock, points.size() - first));
    scan.read(first, block);
    if (azimuth) sectors.find(block, first);
  }
  if (!azimuth) return whole_share(std::move(points), kind, agents, seed);
  Shards shards = azimuth_shards(points, sectors, agents);
  return {scan.size(), std::move(points), {}, std::move(shards), 0};
}

ScanShare take_share(const PointSource& scan, ShardKind kind, int agents, std::uint64_t seed,
                     int first, int count) {
  const std::vector<std::uint32_t> begins = shard_begins(scan.size(), agents);
  const Range range{{begins.begin() + first, begins.begin() + first + count + 1}};
  ScanShare share{scan.size(), {}, {}, {}, checksum_of(scan)};
  switch (kind) {
    case ShardKind::contiguous:
      take_contiguous(scan, range, share);
      break;
    case ShardKind::interleaved:
      take_interleaved(scan, range, agents, first, count, share);
      break;
    case ShardKind::random:
      take_random(scan, range, seed, share);
      break;
    case ShardKind::azimuth:
      take_azimuth(scan, range, share);
      break;
  }
  for (const std::uint32_t b : range.begins) share.shards.begins.push_back(b - range.begin());
  return share;
}

}  // namespace roadplane
