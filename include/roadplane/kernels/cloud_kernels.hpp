#pragma once

#include <cstddef>
#include <cstdint>

#include "roadplane/kernels/float_rows.hpp"
#include "roadplane/kernels/isa.hpp"

namespace roadplane {

/// Which points of a scan are looked at: `taken` of the `total` that `subset` names (null means 0,
/// 1, ...), one out of each of as many equal parts. Where in its part it lies changes from part to
/// part: a thinned scan must not fall into step with the sensor's lasers or rounds.
struct PointSample {
  const std::uint32_t* subset;
  std::size_t total;
  std::size_t taken;
  std::uint32_t offset;  ///< in the first part, in 1 / 2^32 of it
};

/// The loops over a scan's points, one set per instruction set; all of them give the same bits for
/// `normalise`, `sectors` and `label`.
struct CloudKernels {
  /// Appends the unit columns of points to the `used` columns already in `groups` (of 16 columns:
  /// all x, all y, all z, all w), leaving out unusable points, and their positions to `index`. The
  /// points are dealt out to so many groups as it takes, one to each in turn: this is for `count`
  /// groups from `first`. Returns the new number of columns.
  std::size_t (*normalise)(const FloatRows& points, const PointSample& sample, std::size_t first,
                           std::size_t count, std::size_t used, float* groups,
                           std::uint32_t* index);
  /// Which of `sectors` around the sensor each point lies in, ascending with the azimuth from -pi
  /// to pi; a point without an azimuth (NaN) is in the last one. They are equally wide in |x| + |y|
  /// = 1. Adds the points in each to its count (null: not wanted).
  void (*sectors)(const FloatRows& points, std::size_t sectors, std::uint16_t* sector,
                  std::uint32_t* counts);
  /// For `count` points that `own` names (null means 0, 1, ...), at their places: the distance to a
  /// hyperplane that is scaled so that its value at a point is that, or with `angle` that by the
  /// length of [x y z 1], infinite for an unusable point (null: not wanted); and whether it is at
  /// most `limit`.
  void (*label)(const FloatRows& points, const std::uint32_t* own, std::size_t count,
                const float* plane, bool angle, float limit, float* residuals,
                std::uint8_t* within);
  /// Adds sum b b' over so many groups to the lower triangle (row by row) `sums`.
  void (*add_moment)(const float* groups, std::size_t count, double* sums);
};

const CloudKernels& cloud_kernels(Isa isa);

}  // namespace roadplane
