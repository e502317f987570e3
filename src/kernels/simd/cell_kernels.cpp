#include "roadplane/kernels/cell_kernels.hpp"

#include "several_points.hpp"
#include "tables.hpp"

namespace roadplane::ROADPLANE_KERNELS {
namespace {

constexpr std::size_t kEight = 8;
constexpr std::size_t kSeveral = kFloats < kEight ? kFloats : kEight;  ///< points at a time
using Several = Lanes<kSeveral>::Floats;
using SeveralMask = Lanes<kSeveral>::Mask;
using SeveralShorts = Lanes<kSeveral>::Shorts;

inline Several absolute(Several v) { return v < 0.0F ? -v : v; }

inline SeveralMask bits_of(Several v) {
  SeveralMask bits;
  __builtin_memcpy(&bits, &v, sizeof(bits));
  return bits;
}

/// The float's own bits are a logarithm that is straight within an octave, as the grid's rings are.
inline SeveralMask rings_at(Several range_m, const CellGrid& grid) {
  const float per_bit = grid.rings_per_octave / static_cast<float>(1 << 23);
  const SeveralMask above = bits_of(range_m + grid.inner_m) - bits_of(grid.inner_m - Several{});
  return __builtin_convertvector(__builtin_convertvector(above, Several) * per_bit, SeveralMask);
}

/// The azimuth to 0.004 rad, which moves the borders of columns and nothing else.
inline SeveralMask columns_at(Several x, Several y, const CellGrid& grid) {
  constexpr float kPi = 3.14159265F;
  const Several ax = absolute(x);
  const Several ay = absolute(y);
  const Several slope = (ax > ay ? ay : ax) / ((ax > ay ? ax : ay) + 1e-30F);
  Several angle = slope * (kPi / 4 + 0.273F * (1.0F - slope));
  angle = ay > ax ? kPi / 2 - angle : angle;
  angle = x < 0.0F ? kPi - angle : angle;
  angle = y < 0.0F ? 2 * kPi - angle : angle;
  angle = angle >= 0.0F ? angle : Several{};  // of a missing return, which has no azimuth
  const float per_rad = static_cast<float>(grid.columns) / (2 * kPi);
  const SeveralMask column = __builtin_convertvector(angle * per_rad, SeveralMask);
  const SeveralMask last = grid.columns - 1 - SeveralMask{};
  return column < last ? column : last;
}

template <class Row>
inline void place_rows(Row row, const std::uint32_t* own, std::size_t count, const float* w,
                       const CellGrid& its_grid, std::uint16_t* cells, float* heights_m,
                       bool* elevations) {
  const float plane[4] = {w[0], w[1], w[2], w[3]};  // not where cells and heights are written
  const CellGrid grid = its_grid;
  constexpr float kInfinity = __builtin_inff();
  const auto last_bin = static_cast<float>(grid.elevation_bins - 1);
  const float per_tangent = 1 / grid.elevation_bin;
  const float middle_bin = static_cast<float>(grid.elevation_bins) / 2.0F;
  // Of more points the elevations of every third or fifth eight are looked at: odd numbers, so as
  // not to fall into step with a sensor that fires 16 or more lasers in turn.
  constexpr std::size_t kSeen = 4096;
  const std::size_t every = ((count / kSeen + 1) | 1) * kEight;
  std::size_t next = 0;
  const SeveralMask no_cell = grid.columns * grid.rings - SeveralMask{};
  several_at_once<kSeveral>(count, [&](std::size_t k, auto lane) {
    Lanes<kSeveral>::Points points;
    load_points(
        [&](std::size_t m) __attribute__((always_inline)) { return row(own[k + lane(m)]); },
        points);
    const auto& [x, y, z] = points;
    const Several squared = x * x + y * y;
    const Several range_m = root(squared);
    const Several height_m = plane[0] * x + plane[1] * y + plane[2] * z + plane[3];
    const Several length = squared + z * z;
    const SeveralMask usable = (length > 0.0F) & (length < kInfinity);
    const SeveralMask ring = rings_at(range_m, grid);
    const Several most_m = grid.most_m + grid.most_slope * range_m;
    const SeveralMask near =
        usable & (ring >= 0) & (ring < grid.rings) & (height_m < most_m) & (height_m > -most_m);
    const SeveralMask cell = near ? columns_at(x, y, grid) * grid.rings + ring : no_cell;
    const SeveralShorts numbers = __builtin_convertvector(cell, SeveralShorts);
    __builtin_memcpy(cells + k, &numbers, sizeof(numbers));
    const Several height = usable ? height_m : kInfinity - Several{};
    __builtin_memcpy(heights_m + k, &height, sizeof(height));
    if (k < next) return;  // every laser is among so many points
    if ((k + kSeveral) % kEight == 0) next += every;
    const Several tangent = (height_m - plane[3]) / (range_m + 1e-6F);
    const Several bin = tangent * per_tangent + middle_bin;
    const Several inside = bin < 0.0F ? Several{} : (bin < last_bin ? bin : last_bin - Several{});
    const SeveralMask elevation =
        __builtin_convertvector(usable ? inside : last_bin - Several{}, SeveralMask);
    for (std::size_t m = 0; m < kSeveral; ++m) elevations[elevation[m]] = true;
  });
}

inline bool in_one_cell(const std::uint16_t* cells) {
  SeveralShorts several;
  __builtin_memcpy(&several, cells, sizeof(several));
  const SeveralShorts others = several ^ several[0];
  std::uint64_t fours[kSeveral / 4];
  __builtin_memcpy(fours, &others, sizeof(fours));
  std::uint64_t any = 0;
  for (const std::uint64_t four : fours) any |= four;
  return any == 0;
}

/// Neighbours in a shard are mostly neighbours in the scan, and many share a cell.
void label(const std::uint16_t* cells, const float* heights_m, const std::uint32_t* own,
           std::size_t count, const CellGround* grounds, float down_m, float* residuals,
           std::uint8_t* within) {
  const auto label_several = [=](std::size_t k, Several ground_m, Several up_m) {
    const Several residual = load_floats<kSeveral>(heights_m + k) - ground_m;
    const SeveralMask inside = (residual <= up_m) & (residual >= -down_m);
    store_label<kSeveral>(residual, inside, own[k], residuals, within);
  };
  for (std::size_t k = 0; k < count; k += kSeveral) {
    if (count - k >= kSeveral && in_turn<kSeveral>(own + k)) {
      const CellGround first = grounds[cells[k]];
      if (in_one_cell(cells + k)) {
        label_several(k, first.height_m - Several{}, first.up_m - Several{});
        continue;
      }
      Several ground_m, up_m;
      for (std::size_t m = 0; m < kSeveral; ++m) {
        const CellGround ground = grounds[cells[k + m]];
        ground_m[m] = ground.height_m;
        up_m[m] = ground.up_m;
      }
      label_several(k, ground_m, up_m);
      continue;
    }
    for (std::size_t m = k; m < count && m < k + kSeveral; ++m) {
      const CellGround ground = grounds[cells[m]];
      const float residual = heights_m[m] - ground.height_m;
      if (residuals != nullptr) residuals[own[m]] = residual;
      within[own[m]] = (residual <= ground.up_m) & (residual >= -down_m) ? 1 : 0;
    }
  }
}

void place(const FloatRows& points, const std::uint32_t* own, std::size_t count, const float* plane,
           const CellGrid& grid, std::uint16_t* cells, float* heights_m, bool* elevations) {
  with_rows(points, [&](auto row) {
    place_rows(row, own, count, plane, grid, cells, heights_m, elevations);
  });
}

/// Sums of eight lanes, in as many registers as they take; in the same order everywhere.
template <class V>
struct EightSums {
  static constexpr std::size_t kParts = kEight / kSeveral;
  V part[kParts] = {};

  auto total() const {
    const auto lane = [this](std::size_t k) { return part[k / kSeveral][k % kSeveral]; };
    return ((lane(0) + lane(4)) + (lane(2) + lane(6))) +
           ((lane(1) + lane(5)) + (lane(3) + lane(7)));
  }
};

/// f(height, part) for all heights, which are padded to eights; `part` is that of an EightSums.
template <class F>
inline void for_heights(const float* heights_m, std::size_t padded, const F& f) {
  for (std::size_t k = 0; k < padded; k += kEight) {
    for (std::size_t part = 0; part < kEight / kSeveral; ++part) {
      f(load_floats<kSeveral>(heights_m + k + part * kSeveral), part);
    }
  }
}

inline SeveralMask inside(Several height_m, const Band& band) {
  return (height_m > band.low_m) & (height_m < band.high_m);
}

HeightSums between(const float* heights_m, std::size_t padded, const Band& band) {
  EightSums<SeveralMask> count;
  EightSums<Several> sum;
  EightSums<Several> squares;
  for_heights(heights_m, padded, [&](Several height, std::size_t part) {
    const SeveralMask in = inside(height, band);
    const Several taken = in ? height : Several{};
    count.part[part] -= in;
    sum.part[part] += taken;
    squares.part[part] += taken * taken;
  });
  return {static_cast<float>(count.total()), sum.total(), squares.total()};
}

float lowest_between(const float* heights_m, std::size_t padded, const Band& band) {
  Several lowest = __builtin_inff() - Several{};
  for_heights(heights_m, padded, [&](Several height, std::size_t) {
    lowest = (inside(height, band) & (height < lowest)) ? height : lowest;
  });
  float least = lowest[0];
  for (std::size_t k = 1; k < kSeveral; ++k) least = lowest[k] < least ? lowest[k] : least;
  return least;
}

void count(const float* heights_m, std::size_t padded, const Band& one, const Band& other,
           int* counts) {
  EightSums<SeveralMask> ones;
  EightSums<SeveralMask> others;
  for_heights(heights_m, padded, [&](Several height, std::size_t part) {
    ones.part[part] -= inside(height, one);
    others.part[part] -= inside(height, other);
  });
  counts[0] = ones.total();
  counts[1] = others.total();
}

}  // namespace

extern const CellKernels kCellKernels{place, label, between, lowest_between, count};

}  // namespace roadplane::ROADPLANE_KERNELS
