#include "cell_points.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "roadplane/kernels/cell_kernels.hpp"

namespace roadplane {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

constexpr CellGrid kGrid{
    .columns = ReliefGrid::kColumns,
    .rings = ReliefGrid::kRings,
    .rings_per_octave = ReliefGrid::kRingsPerOctave,
    .inner_m = ReliefGrid::kInnerM,
    // Ground is not farther from the plane, and what is higher does not stand on it.
    .most_m = 3,
    .most_slope = 0.15F,
    .elevation_bins = CellPoints::kElevationBins,
    .elevation_bin = CellPoints::kElevationBin,
};
static_assert(CellPoints::kNoCell == kGrid.columns * kGrid.rings);

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

/// So many points in a column of an agent's are enough to find the ground by; all of them are
/// labelled. On KITTI's azimuth shards that is every other pair of neighbours, and the mean F1 is
/// that of all points to 0.06 (docs/ground.md).
constexpr std::size_t kEnough = 640;

/// One pair of neighbours out of how many is looked at.
std::size_t stride_of(std::span<const std::uint16_t> cells) {
  // One out of so many shows which columns there are; odd, as the number of lasers is not.
  constexpr std::size_t kSome = 17;
  std::uint64_t columns = 0;
  static_assert(ReliefGrid::kColumns <= 64, "a bit for each");
  for (std::size_t k = 0; k < cells.size(); k += kSome) {
    if (cells[k] != CellPoints::kNoCell)
      columns |= std::uint64_t{1} << cells[k] / ReliefGrid::kRings;
  }
  const auto used = static_cast<std::size_t>(std::max(1, std::popcount(columns)));
  return std::max<std::size_t>(1, cells.size() / (kEnough * used));
}

/// f(k) for the points k, k + 1 of one pair out of every `stride`. Which one changes from stride to
/// stride (the R2 sequence of Roberts, 2018), so as not to fall into step with the sensor's lasers.
template <class F>
void for_pairs(std::size_t pairs, std::size_t stride, const F& f) {
  if (stride == 1) {
    for (std::size_t k = 0; k < 2 * pairs; k += 2) f(k);
    return;
  }
  std::uint32_t fraction = 0;
  for (std::size_t first = 0; first + stride <= pairs; first += stride) {
    f(2 * (first + ((std::uint64_t{fraction} * stride) >> 32)));
    fraction += 3242174889U;
  }
}

}  // namespace

void CellPoints::assign(const PointRows& points, std::span<const std::uint32_t> own,
                        const Eigen::Vector4f& plane) {
  sensor_m_ = plane(3);
  cells_.resize(padded(own.size()));
  heights_m_.resize(cells_.size());
  elevations_.fill(false);
  if (!own.empty()) {
    kernels_.place(points.floats(), own.data(), own.size(), plane.data(), kGrid, cells_.data(),
                   heights_m_.data(), elevations_.data());
  }
  std::fill(cells_.begin() + static_cast<std::ptrdiff_t>(own.size()), cells_.end(), kNoCell);
  sort();
}

/// Points of even and of odd places are counted apart: neighbours mostly share a cell, and a
/// counter that has just been written is slow to read.
void CellPoints::sort() {
  constexpr int kCells = ReliefGrid::kCells;
  const std::size_t stride = stride_of(cells_);
  std::array<std::array<int, kCells + 1>, 2> next{};
  for_pairs(cells_.size() / 2, stride, [&](std::size_t k) {
    ++next[0][cells_[k]];
    ++next[1][cells_[k + 1]];
  });
  counts_.fill(0);
  sorted_.resize(
      std::max(sorted_.size(), 2 * (cells_.size() / stride + 2) + 8 * std::size_t{kCells}));
  std::array<bool, ReliefGrid::kColumns> used{};
  int end = 0;
  for (int column = 0; column < ReliefGrid::kColumns; ++column) {
    const int first = column * ReliefGrid::kRings;
    int any = 0;
    for (int cell = first; cell < first + ReliefGrid::kRings; ++cell) {
      any |= next[0][cell] | next[1][cell];
    }
    if (any == 0) continue;  // most columns belong to other agents
    used[column] = true;
    for (int cell = first; cell < first + ReliefGrid::kRings; ++cell) {
      counts_[cell] = next[0][cell] + next[1][cell];
      begins_[cell] = end;
      next[1][cell] = end + next[0][cell];
      next[0][cell] = end;
      end += static_cast<int>(padded(static_cast<std::size_t>(counts_[cell])));
      std::fill(sorted_.begin() + begins_[cell] + counts_[cell], sorted_.begin() + end, kInfinity);
    }
  }
  next[0][kNoCell] = next[1][kNoCell] = end;  // behind the last cell, where nobody looks
  for_pairs(cells_.size() / 2, stride, [&](std::size_t k) {
    sorted_[next[0][cells_[k]]++] = heights_m_[k];
    sorted_[next[1][cells_[k + 1]]++] = heights_m_[k + 1];
  });
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
