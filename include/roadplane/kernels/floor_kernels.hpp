#pragma once

#include <cstddef>
#include <cstdint>

#include "roadplane/kernels/isa.hpp"
#include "roadplane/kernels/robust_kernels.hpp"

namespace roadplane {

/// Polar cells around the z axis: sectors, equally wide in |x| + |y| = 1, and rings whose widths
/// grow with the range. They do not depend on z.
struct PolarCells {
  int sectors;
  int rings;
  float nearest_m;   ///< [m] where the first ring begins, and
  float farthest_m;  ///< [m] where the last one ends

  int count() const { return sectors * rings; }
};

/// Points that may lie on a floor, in groups of 16: all x, all y, all z, then the inverses of the
/// distances [1/m] up to which a point lies on a plane. What fills the last group lies on none.
struct FloorPoints {
  const float* groups;
  std::size_t group_count;
};

/// What a plane n'p + offset = 0 with a unit normal is worth to such points, counted in units t of
/// their own distances.
struct FloorCounts {
  double on;     ///< sum (1 - t^2)^2 of the points on it
  double below;  ///< points below it by 1 to `depth`,
  double near;   ///< and points as near as that on either side
};

/// The loops of the search for a floor, one set per instruction set.
struct FloorKernels {
  /// The cells of the columns of so many groups (`count()` for those in none), and their heights.
  void (*place)(const float* groups, std::size_t group_count, const PolarCells& cells,
                std::uint16_t* cell, float* height_m);
  /// Of numbers that all differ, the one that `rank` of them are smaller than.
  std::uint64_t (*ranked)(const std::uint64_t* numbers, std::size_t count, std::size_t rank);
  /// The same bits with every instruction set: `turn` is a rotation, row by row, and then a shift;
  /// unit columns become those of the moved points.
  void (*move)(const float* groups, std::size_t group_count, const double* turn, float* moved);
  /// Planes are four numbers each.
  void (*weigh)(const FloorPoints& points, const double* planes, std::size_t count, float depth,
                FloorCounts* counts);
  /// With h the height over a plane, u and v positions along two axes and the weight (1 - t^2)^2:
  /// the weighted sums of 1, u, v, uu, uv, vv, h, hu, hv. `axes` are six numbers.
  void (*moments)(const FloorPoints& points, const double* plane, const double* axes, double* sums);
  static constexpr std::size_t kMoments = 9;
  /// With t = w'b in units of the window's scale: sum (1 - t^2)^3, and how many have t of -1 to -2.
  void (*support)(const ThinnedGroups& columns, const double* w, const KernelWindow& window,
                  double* sums);
};

const FloorKernels& floor_kernels(Isa isa);

}  // namespace roadplane
