#include "cell_points.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
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
  angle = angle >= 0.0F ? angle : Quad{};  // of a missing return, which has no azimuth
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

void CellPoints::assign(PointSpan points, std::span<const std::uint32_t> own,
                        const Eigen::Vector4f& plane) {
  sensor_m_ = plane(3);
  cells_.resize(padded(own.size()));
  heights_m_.resize(cells_.size());
  elevations_.fill(false);
  measure(points, own, plane);
  sort();
}

void CellPoints::place_four(std::size_t first, const Coordinates& four,
                            const Eigen::Vector4f& plane) {
  const Places places = places_of(four, plane);
  typedef std::uint16_t FourCells __attribute__((vector_size(8)));
  const auto cells = __builtin_convertvector(places.cell, FourCells);
  std::memcpy(&cells_[first], &cells, sizeof(cells));
  std::memcpy(&heights_m_[first], &places.height_m, sizeof(places.height_m));
  for (int k = 0; k < 4; ++k) {
    elevations_[static_cast<std::size_t>(places.elevation[k])] = true;
  }
}

void CellPoints::measure(PointSpan points, std::span<const std::uint32_t> own,
                         const Eigen::Vector4f& plane) {
  const auto four = [](const Point& a, const Point& b, const Point& c, const Point& d) {
    return ROADPLANE_KERNELS::coordinates(load_quad(&a.x), load_quad(&b.x), load_quad(&c.x),
                                          load_quad(&d.x));
  };
  std::size_t k = 0;
  for (; k + 4 <= own.size(); k += 4) {
    place_four(k, four(points[own[k]], points[own[k + 1]], points[own[k + 2]], points[own[k + 3]]),
               plane);
  }
  if (k == own.size()) return;
  std::array<Point, 4> rest{};
  for (std::size_t m = k; m < own.size(); ++m) rest[m - k] = points[own[m]];
  place_four(k, four(rest[0], rest[1], rest[2], rest[3]), plane);
}

/// Points of even and of odd places are counted apart: neighbours mostly share a cell, and a
/// counter that has just been written is slow to read.
void CellPoints::sort() {
  constexpr int kCells = ReliefGrid::kCells;
  std::array<std::array<int, kCells + 1>, 2> next{};
  for (std::size_t k = 0; k < cells_.size(); k += 2) {
    ++next[0][cells_[k]];
    ++next[1][cells_[k + 1]];
  }
  std::array<bool, ReliefGrid::kColumns> used{};
  int end = 0;
  for (int column = 0, cell = 0; column < ReliefGrid::kColumns; ++column) {
    const int before = end;
    for (int ring = 0; ring < ReliefGrid::kRings; ++ring, ++cell) {
      counts_[cell] = next[0][cell] + next[1][cell];
      begins_[cell] = end;
      next[1][cell] = end + next[0][cell];
      next[0][cell] = end;
      end += static_cast<int>(padded(static_cast<std::size_t>(counts_[cell])));
    }
    used[column] = end > before;
  }
  next[0][kNoCell] = next[1][kNoCell] = end;  // behind the last cell, where nobody looks
  sorted_.assign(static_cast<std::size_t>(end) + cells_.size(), kInfinity);
  for (std::size_t k = 0; k < cells_.size(); k += 2) {
    sorted_[next[0][cells_[k]]++] = heights_m_[k];
    sorted_[next[1][cells_[k + 1]]++] = heights_m_[k + 1];
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
