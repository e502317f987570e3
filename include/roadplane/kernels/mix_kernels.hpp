#pragma once

#include <cstddef>

#include "roadplane/kernels/isa.hpp"

namespace roadplane {

/// A row of a table and what it weighs in a sum.
struct WeightedRow {
  int row;
  double weight;
};

/// The loops of gossip over rows of doubles, one set per instruction set; all of them give the same
/// bits.
struct MixKernels {
  /// The change of `row` against `heard` in half precision, rounded to the nearest. Rows have room
  /// for a multiple of eight numbers, packed ones for a multiple of four.
  void (*pack_halves)(const double* row, const double* heard, std::size_t width, std::byte* packed);
  void (*add_halves)(const std::byte* packed, std::size_t width, double* heard);
  /// row = forward * sum_k weight_k * table[row_k] - backward * row, of a table whose rows begin
  /// `stride` numbers apart.
  void (*combine)(const WeightedRow* links, std::size_t count, const double* table,
                  std::size_t stride, std::size_t width, double forward, double backward,
                  double* row);
  /// row += forward * (current - heard): what the others have not heard stays.
  void (*keep_unheard)(const double* current, const double* heard, std::size_t width,
                       double forward, double* row);
};

const MixKernels& mix_kernels(Isa isa);

}  // namespace roadplane
