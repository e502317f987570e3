#include "roadplane/kernels/cell_kernels.hpp"

#include "eight_points.hpp"
#include "tables.hpp"

namespace roadplane::ROADPLANE_KERNELS {
namespace {

inline Eight absolute(Eight v) { return v < 0.0F ? -v : v; }

inline EightMask bits_of(Eight v) {
  EightMask bits;
  __builtin_memcpy(&bits, &v, sizeof(bits));
  return bits;
}

/// The float's own bits are a logarithm that is straight within an octave, as the grid's rings are.
inline EightMask rings_at(Eight range_m, const CellGrid& grid) {
  const float per_bit = grid.rings_per_octave / static_cast<float>(1 << 23);
  const EightMask above = bits_of(range_m + grid.inner_m) - bits_of(grid.inner_m - Eight{});
  return __builtin_convertvector(__builtin_convertvector(above, Eight) * per_bit, EightMask);
}

/// The azimuth to 0.004 rad, which moves the borders of columns and nothing else.
inline EightMask columns_at(Eight x, Eight y, const CellGrid& grid) {
  constexpr float kPi = 3.14159265F;
  const Eight ax = absolute(x);
  const Eight ay = absolute(y);
  const Eight slope = (ax > ay ? ay : ax) / ((ax > ay ? ax : ay) + 1e-30F);
  Eight angle = slope * (kPi / 4 + 0.273F * (1.0F - slope));
  angle = ay > ax ? kPi / 2 - angle : angle;
  angle = x < 0.0F ? kPi - angle : angle;
  angle = y < 0.0F ? 2 * kPi - angle : angle;
  angle = angle >= 0.0F ? angle : Eight{};  // of a missing return, which has no azimuth
  const float per_rad = static_cast<float>(grid.columns) / (2 * kPi);
  const EightMask column = __builtin_convertvector(angle * per_rad, EightMask);
  const EightMask last = grid.columns - 1 - EightMask{};
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
  const EightMask no_cell = grid.columns * grid.rings - EightMask{};
  in_eights(count, [&](std::size_t k, auto lane) {
    const auto [x, y, z] = load_points([&](std::size_t m) __attribute__((always_inline)) {
      return row(own[k + lane(m)]);
    });
    const Eight squared = x * x + y * y;
    const Eight range_m = root(squared);
    const Eight height_m = plane[0] * x + plane[1] * y + plane[2] * z + plane[3];
    const Eight length = squared + z * z;
    const EightMask usable = (length > 0.0F) & (length < kInfinity);
    const EightMask ring = rings_at(range_m, grid);
    const Eight most_m = grid.most_m + grid.most_slope * range_m;
    const EightMask near =
        usable & (ring >= 0) & (ring < grid.rings) & (height_m < most_m) & (height_m > -most_m);
    const EightMask cell = near ? columns_at(x, y, grid) * grid.rings + ring : no_cell;
    const EightShorts numbers = __builtin_convertvector(cell, EightShorts);
    __builtin_memcpy(cells + k, &numbers, sizeof(numbers));
    const Eight height = usable ? height_m : kInfinity - Eight{};
    __builtin_memcpy(heights_m + k, &height, sizeof(height));
    if (k < next) return;  // every laser is among so many points
    next = k + every;
    const Eight tangent = (height_m - plane[3]) / (range_m + 1e-6F);
    const Eight bin = tangent * per_tangent + middle_bin;
    const Eight inside = bin < 0.0F ? Eight{} : (bin < last_bin ? bin : last_bin - Eight{});
    const EightMask elevation =
        __builtin_convertvector(usable ? inside : last_bin - Eight{}, EightMask);
    for (std::size_t m = 0; m < kEight; ++m) elevations[elevation[m]] = true;
  });
}

inline bool in_one_cell(const std::uint16_t* cells) {
  EightShorts eight;
  __builtin_memcpy(&eight, cells, sizeof(eight));
  const EightShorts others = eight ^ eight[0];
  std::uint64_t halves[2];
  __builtin_memcpy(halves, &others, sizeof(halves));
  return (halves[0] | halves[1]) == 0;
}

/// Neighbours in a shard are mostly neighbours in the scan, and many share a cell.
void label(const std::uint16_t* cells, const float* heights_m, const std::uint32_t* own,
           std::size_t count, const CellGround* grounds, float down_m, float* residuals,
           std::uint8_t* within) {
  const auto label_eight = [=](std::size_t k, Eight ground_m, Eight up_m) {
    const Eight residual = load_eight(heights_m + k) - ground_m;
    const EightMask inside = (residual <= up_m) & (residual >= -down_m);
    store_label(residual, inside, own[k], residuals, within);
  };
  for (std::size_t k = 0; k < count; k += kEight) {
    if (count - k >= kEight && in_turn(own + k)) {
      const CellGround first = grounds[cells[k]];
      if (in_one_cell(cells + k)) {
        label_eight(k, first.height_m - Eight{}, first.up_m - Eight{});
        continue;
      }
      Eight ground_m, up_m;
      for (std::size_t m = 0; m < kEight; ++m) {
        const CellGround ground = grounds[cells[k + m]];
        ground_m[m] = ground.height_m;
        up_m[m] = ground.up_m;
      }
      label_eight(k, ground_m, up_m);
      continue;
    }
    for (std::size_t m = k; m < count && m < k + kEight; ++m) {
      const CellGround ground = grounds[cells[m]];
      const float residual = heights_m[m] - ground.height_m;
      residuals[own[m]] = residual;
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

template <class V>
inline auto total(V v) {
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

inline EightMask inside(Eight height_m, const Band& band) {
  return (height_m > band.low_m) & (height_m < band.high_m);
}

HeightSums between(const float* heights_m, std::size_t padded, const Band& band) {
  EightMask count{};
  Eight sum{};
  Eight squares{};
  for (std::size_t k = 0; k < padded; k += kEight) {
    const Eight height = load_eight(heights_m + k);
    const EightMask in = inside(height, band);
    const Eight taken = in ? height : Eight{};
    count -= in;
    sum += taken;
    squares += taken * taken;
  }
  return {static_cast<float>(total(count)), total(sum), total(squares)};
}

float lowest_between(const float* heights_m, std::size_t padded, const Band& band) {
  Eight lowest = __builtin_inff() - Eight{};
  for (std::size_t k = 0; k < padded; k += kEight) {
    const Eight height = load_eight(heights_m + k);
    lowest = (inside(height, band) & (height < lowest)) ? height : lowest;
  }
  float least = lowest[0];
  for (std::size_t k = 1; k < kEight; ++k) least = lowest[k] < least ? lowest[k] : least;
  return least;
}

void count(const float* heights_m, std::size_t padded, const Band& one, const Band& other,
           int* counts) {
  EightMask ones{};
  EightMask others{};
  for (std::size_t k = 0; k < padded; k += kEight) {
    const Eight height = load_eight(heights_m + k);
    ones -= inside(height, one);
    others -= inside(height, other);
  }
  counts[0] = total(ones);
  counts[1] = total(others);
}

}  // namespace

extern const CellKernels kCellKernels{place, label, between, lowest_between, count};

}  // namespace roadplane::ROADPLANE_KERNELS
