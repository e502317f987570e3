#include "roadplane/kernels/floor_kernels.hpp"

#include "robust_loops.hpp"
#include "tables.hpp"
#include "vector_math.hpp"

namespace roadplane::ROADPLANE_KERNELS {
namespace {

inline Floats magnitude(Floats v) { return v < Floats{} ? -v : v; }

inline Integers bits_of(Floats v) {
  Integers bits;
  __builtin_memcpy(&bits, &v, sizeof(bits));
  return bits;
}

inline std::int32_t bits_of(float v) {
  std::int32_t bits;
  __builtin_memcpy(&bits, &v, sizeof(bits));
  return bits;
}

/// The bits of a positive float grow as its logarithm does, with a straight line between the powers
/// of two.
void place(const float* groups, std::size_t group_count, const PolarCells& cells,
           std::uint16_t* cell, float* height_m) {
  const std::int32_t first = bits_of(cells.nearest_m * cells.nearest_m);
  const std::int32_t last = bits_of(cells.farthest_m * cells.farthest_m);
  const float rings_per_bit = static_cast<float>(cells.rings) / static_cast<float>(last - first);
  const float sectors = static_cast<float>(cells.sectors) / 4;
  const float most = static_cast<float>(cells.sectors - 1);
  for (std::size_t k = 0; k < group_count * kGroup; k += kFloats) {
    const Columns b = load_columns(groups + k / kGroup * kGroupFloats + k % kGroup);
    const Floats range = 1.0F / b.row[3];
    const Floats squared = (b.row[0] * b.row[0] + b.row[1] * b.row[1]) * range * range;
    const Floats around = b.row[1] / (magnitude(b.row[0]) + magnitude(b.row[1]));
    const Floats turned = (b.row[0] < Floats{} ? 2.0F - around : around) + 1.0F;  // 0 to 4
    const Floats sector = smaller(turned * sectors, constant(most));
    const Integers bits = bits_of(squared);
    const Integers ring = __builtin_convertvector(
        __builtin_convertvector(bits - first, Floats) * rings_per_bit, Integers);
    const Integers at = __builtin_convertvector(sector, Integers) * cells.rings + ring;
    const Integers inside = (bits >= first) & (bits < last) & (ring < cells.rings) &
                            (b.row[3] > Floats{}) & (magnitude(turned) <= constant(4));
    const Floats z = b.row[2] * range;
    __builtin_memcpy(height_m + k, &z, sizeof(z));
    typedef std::uint16_t Cells __attribute__((vector_size(kFloats * sizeof(std::uint16_t))));
    const auto placed = __builtin_convertvector((at & inside) | (cells.count() & ~inside), Cells);
    __builtin_memcpy(cell + k, &placed, sizeof(placed));
  }
}

/// Going through all numbers once more for every rank beats moving them about: ranks are small.
std::uint64_t ranked(const std::uint64_t* numbers, std::size_t count, std::size_t rank) {
  std::uint64_t found = 0;
  for (std::size_t r = 0; r <= rank; ++r) {
    std::uint64_t least = ~std::uint64_t{0};
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint64_t left = r == 0 || numbers[k] > found ? numbers[k] : ~std::uint64_t{0};
      least = left < least ? left : least;
    }
    found = least;
  }
  return found;
}

void move(const float* groups, std::size_t group_count, const double* turn, float* moved) {
  Floats m[12];
  for (std::size_t k = 0; k < 12; ++k) m[k] = constant(static_cast<float>(turn[k]));
  for (std::size_t k = 0; k < group_count * kGroup; k += kFloats) {
    const std::size_t at = k / kGroup * kGroupFloats + k % kGroup;
    const Columns b = load_columns(groups + at);
    Floats row[4];
    for (std::size_t r = 0; r < 3; ++r) {
      row[r] = m[4 * r] * b.row[0] + m[4 * r + 1] * b.row[1] + m[4 * r + 2] * b.row[2] +
               m[4 * r + 3] * b.row[3];
    }
    row[3] = b.row[3];
    const Floats squared = row[0] * row[0] + row[1] * row[1] + row[2] * row[2] + row[3] * row[3];
    const Floats scale = inverse_root(squared > Floats{} ? squared : constant(1));
    for (std::size_t r = 0; r < 4; ++r) {
      row[r] *= scale;
      __builtin_memcpy(moved + at + r * kGroup, &row[r], sizeof(row[r]));
    }
  }
}

struct Plane {
  Floats normal[3];
  Floats offset;

  explicit Plane(const double* plane) : offset(constant(static_cast<float>(plane[3]))) {
    for (std::size_t r = 0; r < 3; ++r) normal[r] = constant(static_cast<float>(plane[r]));
  }
  Floats height(const Columns& p) const {
    return normal[0] * p.row[0] + normal[1] * p.row[1] + normal[2] * p.row[2] + offset;
  }
};

template <class F>
inline void for_points(const FloorPoints& points, const F& f) {
  for (std::size_t k = 0; k < points.group_count * kGroup; k += kFloats) {
    f(load_columns(points.groups + k / kGroup * kGroupFloats + k % kGroup));
  }
}

void weigh(const FloorPoints& points, const double* planes, std::size_t count, float depth,
           FloorCounts* counts) {
  for (std::size_t p = 0; p < count; ++p) {
    const Plane plane(planes + 4 * p);
    Floats on{}, below{}, near{};
    for_points(points, [&](const Columns& point) {
      const Floats t = plane.height(point) * point.row[3];
      const Floats rest = positive_part(1.0F - t * t);
      on += rest * rest;
      const Floats counted = magnitude(t) < constant(depth) ? constant(1) : Floats{};
      near += counted;
      below += t < constant(-1) ? counted : Floats{};
    });
    counts[p] = {total(on), total(below), total(near)};
  }
}

void moments(const FloorPoints& points, const double* plane, const double* axes, double* sums) {
  const Plane floor(plane);
  Floats along[2][3];
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::size_t r = 0; r < 3; ++r) along[a][r] = constant(static_cast<float>(axes[3 * a + r]));
  }
  Floats acc[FloorKernels::kMoments] = {};
  for_points(points, [&](const Columns& point) {
    const Floats h = floor.height(point);
    const Floats t = h * point.row[3];
    const Floats rest = positive_part(1.0F - t * t);
    const Floats weight = rest * rest;
    Floats at[2];
    for (std::size_t a = 0; a < 2; ++a) {
      at[a] = along[a][0] * point.row[0] + along[a][1] * point.row[1] + along[a][2] * point.row[2];
    }
    const Floats u = weight * at[0];
    const Floats v = weight * at[1];
    acc[0] += weight;
    acc[1] += u;
    acc[2] += v;
    acc[3] += u * at[0];
    acc[4] += u * at[1];
    acc[5] += v * at[1];
    acc[6] += weight * h;
    acc[7] += u * h;
    acc[8] += v * h;
  });
  for (std::size_t n = 0; n < FloorKernels::kMoments; ++n) sums[n] = total(acc[n]);
}

void support(const ThinnedGroups& columns, const double* w, const KernelWindow& window,
             double* sums) {
  const Hyperplane plane = hyperplane(w);
  sum_columns<2>(columns, sums, [&](const Columns& b, Floats* acc) {
    const Floats y = plane.dot(b);
    const Floats scale = y < Floats{} ? window.below.rad + b.row[3] * window.below.m
                                      : window.above.rad + b.row[3] * window.above.m;
    const Floats range = reciprocal(b.row[3]);
    const Floats near =
        window.near > 0 ? smaller(range * range * window.near, constant(1)) : constant(1);
    const Floats count = b.row[3] > Floats{} ? near : Floats{};  // padding counts nothing
    const Floats t = y * reciprocal(scale);
    const Floats rest = positive_part(1.0F - t * t);
    acc[0] += count * rest * rest * rest;
    acc[1] += (t < constant(-1)) & (t > constant(-2)) ? count : Floats{};
  });
}

}  // namespace

extern const FloorKernels kFloorKernels{place, ranked, move, weigh, moments, support};

}  // namespace roadplane::ROADPLANE_KERNELS
