#include "cell_points.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace roadplane {
namespace {

using ROADPLANE_KERNELS::load_quad;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

auto total(auto v) { return v[0] + v[1] + v[2] + v[3]; }

Quad absolute(Quad v) { return v < 0.0F ? -v : v; }

// Ground is not farther from the plane, and what is higher does not stand on it.
constexpr float kMostM = 3;
constexpr float kMostSlope = 0.15F;

/// Where four points are.
struct Places {
  QuadMask cell;
  QuadMask elevation;  ///< bin
  Quad height_m;
};

/// The float's own bits are a logarithm that is straight within an octave, as the grid's rings are.
QuadMask rings_at(Quad range_m) {
  using Grid = ReliefGrid;
  constexpr float kPerBit = Grid::kRingsPerOctave / static_cast<float>(1 << 23);
  const auto bits = std::bit_cast<QuadMask>(range_m + Grid::kInnerM);
  const QuadMask above = bits - std::bit_cast<std::int32_t>(Grid::kInnerM);
  return __builtin_convertvector(__builtin_convertvector(above, Quad) * kPerBit, QuadMask);
}

/// The azimuth to 0.004 rad, which moves the borders of columns and nothing else.
QuadMask columns_at(Quad x, Quad y) {
  constexpr float kPi = 3.14159265F;
  const Quad ax = absolute(x), ay = absolute(y);
  const Quad slope = (ax > ay ? ay : ax) / ((ax > ay ? ax : ay) + 1e-30F);
  Quad angle = slope * (kPi / 4 + 0.273F * (1.0F - slope));
  angle = ay > ax ? kPi / 2 - angle : angle;
  angle = x < 0.0F ? kPi - angle : angle;
  angle = y < 0.0F ? 2 * kPi - angle : angle;
  const QuadMask column =
      __builtin_convertvector(angle * (ReliefGrid::kColumns / (2 * kPi)), QuadMask);
  constexpr int kLast = ReliefGrid::kColumns - 1;
  return column < kLast ? column : kLast - QuadMask{};
}

Places places_of(const Coordinates& p, const Eigen::Vector4f& plane) {
  const Quad squared = p.x * p.x + p.y * p.y;
  const Quad range_m = square_root(squared);
  const Quad height_m = plane(0) * p.x + plane(1) * p.y + plane(2) * p.z + plane(3);
  const Quad length = squared + p.z * p.z;
  const QuadMask ring = rings_at(range_m);
  const QuadMask usable = (length > 0.0F) & (length < kInfinity);
  const Quad most_m = kMostM + kMostSlope * range_m;
  const QuadMask near = usable & (ring >= 0) & (ring < ReliefGrid::kRings) & (height_m < most_m) &
                        (height_m > -most_m);
  const QuadMask cell = columns_at(p.x, p.y) * ReliefGrid::kRings + ring;
  constexpr int kBins = CellPoints::kElevationBins;
  const Quad tangent = (height_m - plane(3)) / (range_m + 1e-6F);
  const Quad bin = tangent * (1 / CellPoints::kElevationBin) + kBins / 2.0F;
  const Quad inside = bin < 0.0F ? Quad{} : (bin < kBins - 1.0F ? bin : kBins - 1.0F - Quad{});
  return {near ? cell : CellPoints::kNoCell - QuadMask{},
          __builtin_convertvector(usable ? inside : kBins - 1.0F - Quad{}, QuadMask),
          usable ? height_m : kInfinity - Quad{}};
}

/// Those in use, in turn: where a gap is, the first follows it.
std::vector<int> columns_in_turn(const std::array<bool, ReliefGrid::kColumns>& used) {
  constexpr int kColumns = ReliefGrid::kColumns;
  int first = 0;
  while (first < kColumns && (used[(first + kColumns - 1) % kColumns] || !used[first])) ++first;
  std::vector<int> columns;
  for (int k = 0; k < kColumns; ++k) {
    const int column = (first + k) % kColumns;
    if (used[column]) columns.push_back(column);
  }
  return columns;
}

}  // namespace

HeightSums CellHeights::between(float low_m, float high_m) const {
  QuadMask count{};
  Quad sum{}, squares{};
  for (std::size_t k = 0; k < padded_.size(); k += 4) {
    const Quad height = load_quad(&padded_[k]);
    const QuadMask inside = (height > low_m) & (height < high_m);
    const Quad taken = inside ? height : Quad{};
    count -= inside;
    sum += taken;
    squares += taken * taken;
  }
  return {static_cast<float>(total(count)), total(sum), total(squares)};
}

std::array<int, 2> CellHeights::count(const Band& one, const Band& other) const {
  QuadMask ones{}, others{};
  for (std::size_t k = 0; k < padded_.size(); k += 4) {
    const Quad height = load_quad(&padded_[k]);
    ones -= (height > one.low_m) & (height < one.high_m);
    others -= (height > other.low_m) & (height < other.high_m);
  }
  return {total(ones), total(others)};
}

float CellHeights::lowest_between(float low_m, float high_m) const {
  Quad lowest = kInfinity - Quad{};
  for (std::size_t k = 0; k < padded_.size(); k += 4) {
    const Quad height = load_quad(&padded_[k]);
    lowest = ((height > low_m) & (height < high_m) & (height < lowest)) ? height : lowest;
  }
  return std::min({lowest[0], lowest[1], lowest[2], lowest[3]});
}

CellPoints::CellPoints(PointSpan points, std::span<const std::uint32_t> own,
                       const Eigen::Vector4f& plane)
    : sensor_m_(plane(3)), cells_(own.size()), heights_m_(own.size()) {
  measure(points, own, plane);
  sort();
}

void CellPoints::measure(PointSpan points, std::span<const std::uint32_t> own,
                         const Eigen::Vector4f& plane) {
  for (std::size_t first = 0; first < own.size(); first += 4) {
    std::array<Point, 4> four{};
    const std::size_t count = std::min<std::size_t>(4, own.size() - first);
    for (std::size_t k = 0; k < count; ++k) four[k] = points[own[first + k]];
    const Places places =
        places_of(ROADPLANE_KERNELS::coordinates(load_quad(&four[0].x), load_quad(&four[1].x),
                                                 load_quad(&four[2].x), load_quad(&four[3].x)),
                  plane);
    for (std::size_t k = 0; k < count; ++k) {
      cells_[first + k] = static_cast<std::uint16_t>(places.cell[k]);
      heights_m_[first + k] = places.height_m[k];
      elevations_[static_cast<std::size_t>(places.elevation[k])] = true;
    }
  }
}

void CellPoints::sort() {
  for (std::size_t k = 0; k < cells_.size(); ++k) {
    ++counts_[cells_[k]];
  }
  std::array<bool, ReliefGrid::kColumns> used{};
  int end = 0;
  std::array<int, ReliefGrid::kCells> next;
  for (int cell = 0; cell < ReliefGrid::kCells; ++cell) {
    begins_[cell] = next[cell] = end;
    end += static_cast<int>(padded(counts_[cell]));
    if (counts_[cell] > 0) used[cell / ReliefGrid::kRings] = true;
  }
  sorted_.assign(static_cast<std::size_t>(end), kInfinity);
  for (std::size_t k = 0; k < cells_.size(); ++k) {
    if (cells_[k] != kNoCell) sorted_[next[cells_[k]]++] = heights_m_[k];
  }
  columns_ = columns_in_turn(used);
}

float CellPoints::seen(int ring, float low_m, float high_m) const {
  const float scale = 1 / (ReliefGrid::centre_m(ring) * kElevationBin);
  const float low = (low_m - sensor_m_) * scale + kElevationBins / 2.0F;
  const float high = (high_m - sensor_m_) * scale + kElevationBins / 2.0F;
  const int first = std::clamp(static_cast<int>(low), 0, kElevationBins - 1);
  const int last = std::clamp(static_cast<int>(high), 0, kElevationBins - 1);
  float seen = 0;
  for (int bin = first; bin <= last; ++bin) {
    if (!elevations_[bin]) continue;
    const auto begin = static_cast<float>(bin);
    seen += std::max(0.0F, std::min(high, begin + 1) - std::max(low, begin));
  }
  return seen / (high - low);
}

}  // namespace roadplane
