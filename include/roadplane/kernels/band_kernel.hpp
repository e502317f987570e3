#pragma once

#include <cstddef>

#include "roadplane/kernels/isa.hpp"

namespace roadplane {

/// A symmetric positive definite system whose entries lie within a band: a row of `width` entries
/// for each unknown, the diagonal, those up to `band` ahead of it, and at least seven zeros.
struct BandedEquations {
  static constexpr std::size_t kTogether = 8;  ///< entries that are taken at a time

  float* entries = nullptr;
  std::size_t unknowns = 0;
  std::size_t band = 0;
  std::size_t width = 0;
};

/// Replaces the right side, behind which there are `width` zeros, by the solution: Cholesky's
/// factors without roots. The entries are used up. All instruction sets give the same bits.
using BandKernel = void (*)(const BandedEquations& equations, float* right);

BandKernel band_kernel(Isa isa);

}  // namespace roadplane
