#pragma once

#include <cstddef>

#include "roadplane/kernels/isa.hpp"

namespace roadplane {

/// A row of a table and what it weighs in a sum.
struct WeightedRow {
  int row;
  double weight;
};

/// Rows of a table of doubles, and of their halves as they travel.
struct RowLayout {
  std::size_t rows;
  std::size_t width;   ///< numbers in a row
  std::size_t stride;  ///< numbers from one row to the next: room for a multiple of eight
  std::size_t
      packed_bytes;  ///< from one packed row to the next: room for a multiple of four halves
};

/// What becomes of a row: forward times what it is mixed to, less backward times what it was
/// before.
struct ChebyshevStep {
  double forward;
  double backward;
};

/// The loops of gossip over rows of doubles, one set per instruction set; all of them give the same
/// bits.
struct MixKernels {
  /// The change of each row of `table` against `heard` in half precision, rounded to the nearest.
  void (*pack_halves)(const RowLayout& layout, const double* table, const double* heard,
                      std::byte* packed);
  void (*add_halves)(const RowLayout& layout, const std::byte* packed, double* heard);
  /// row = forward * (sum_k weight_k * table[row_k] + current - heard) - backward * row, of a table
  /// whose rows begin `stride` numbers apart: what the others have not heard of an agent's current
  /// row stays with it (null: they have heard all).
  void (*combine)(const WeightedRow* links, std::size_t count, const double* table,
                  std::size_t stride, std::size_t width, const ChebyshevStep& step,
                  const double* current, const double* heard, double* row);
};

const MixKernels& mix_kernels(Isa isa);

}  // namespace roadplane
