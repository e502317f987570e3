#pragma once

#include <cstddef>
#include <cstdint>

#include "roadplane/kernels/isa.hpp"

namespace roadplane {

/// The loops of HomogeneousCloud, one set per instruction set; all of them give the same bits for
/// `normalise`.
struct CloudKernels {
  /// Appends the unit columns of `count` points (four floats each, the fourth unused) to the
  /// `used` columns already in `blocks`, leaving out unusable points, and their positions to
  /// `index`. `subset` names the points; null means first, first + 1, ... Returns the new number of
  /// columns. May write up to 16 floats beyond the last column.
  std::size_t (*normalise)(const float* points, const std::uint32_t* subset, std::uint32_t first,
                           std::size_t count, std::size_t used, float* blocks,
                           std::uint32_t* index);
  /// Adds sum b b' over an even number of blocks to the lower triangle (row by row) `sums`.
  void (*add_moment)(const float* blocks, std::size_t block_count, double* sums);
};

const CloudKernels& cloud_kernels(Isa isa);

}  // namespace roadplane
