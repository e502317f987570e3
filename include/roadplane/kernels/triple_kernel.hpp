#pragma once

#include <cstddef>
#include <cstdint>

#include "roadplane/kernels/isa.hpp"

namespace roadplane {

/// For `count` triples of columns of a cloud's groups, three `places` each: the hyperplanes through
/// them, of some length, or zero where the three points are on a line. Entry r of the k-th is at
/// planes[r * stride + k]; there is room for a multiple of eight. All instruction sets give the
/// same bits.
using TripleKernel = void (*)(const float* groups, const std::uint32_t* places, std::size_t count,
                              std::size_t stride, double* planes);

TripleKernel triple_kernel(Isa isa);

}  // namespace roadplane
