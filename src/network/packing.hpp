#pragma once

#include <cstddef>
#include <cstdint>

#include "roadplane/base/counter_random.hpp"

namespace roadplane {

// How an agent's row of doubles is laid out on a link.

void pack_singles(const double* row, int width, std::byte* packed);
void unpack_singles(const std::byte* packed, int width, double* row);

/// The change of `row` against `heard` with a few bits a number: `blocks` equal parts of the row
/// have a scale of their own, 2^e with e in a byte, and every number is rounded up or down to a
/// multiple of scale / (2^(bits - 1) - 1) so that the mean is right. Mirrored rows give mirrored
/// numbers.
struct FewBits {
  int bits;
  int blocks;

  int bytes(int width) const;
  void pack(const double* row, const double* heard, int width, CounterRandom& random,
            std::byte* packed) const;
  void add(const std::byte* packed, int width, double* heard) const;
};

}  // namespace roadplane
