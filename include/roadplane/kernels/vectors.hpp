#pragma once

// Vectors for code that is compiled once per instruction set.

#include <cstddef>
#include <cstdint>

#if defined(__SSE__)
#include <immintrin.h>
#else
#include <math.h>  // not <cmath>, which has templates
#endif

#include "roadplane/kernels/per_isa.hpp"

namespace roadplane::ROADPLANE_KERNELS {

#if defined(__AVX512F__)
inline constexpr int kDoubles = 8;
#elif defined(__AVX2__)
inline constexpr int kDoubles = 4;
#else
inline constexpr int kDoubles = 2;
#endif
inline constexpr int kFloats = 2 * kDoubles;  ///< in a register

typedef float Quad __attribute__((vector_size(16)));
typedef float QuadUnaligned __attribute__((vector_size(16), aligned(4)));
typedef float Floats __attribute__((vector_size(kFloats * sizeof(float))));
typedef double Doubles __attribute__((vector_size(kDoubles * sizeof(double))));
typedef float HalfFloats __attribute__((vector_size(kDoubles * sizeof(float))));

typedef std::int32_t QuadMask __attribute__((vector_size(16)));

inline Quad load_quad(const float* p) { return *reinterpret_cast<const QuadUnaligned*>(p); }

inline Quad square_root(Quad v) {
#if defined(__SSE__)
  return _mm_sqrt_ps(v);
#else
  return Quad{sqrtf(v[0]), sqrtf(v[1]), sqrtf(v[2]), sqrtf(v[3])};
#endif
}

/// Four points' coordinates, each in a register of its own.
struct Coordinates {
  Quad x, y, z;
};

inline Coordinates coordinates(Quad a, Quad b, Quad c, Quad d) {
  const Quad ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);  // ax bx ay by
  const Quad cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const Quad ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);  // az bz
  const Quad cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  return {__builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5),
          __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7),
          __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5)};
}

inline constexpr std::size_t kGroup = 16;  ///< columns: 16 x, 16 y, 16 z, 16 w
inline constexpr std::size_t kGroupFloats = 4 * kGroup;

/// Rows x, y, z, w of kFloats columns of a group.
struct Columns {
  Floats row[4];
};

inline Columns load_columns(const float* first) {
  Columns columns;
  for (std::size_t r = 0; r < 4; ++r) {
    columns.row[r] = *reinterpret_cast<const Floats*>(first + r * kGroup);
  }
  return columns;
}

inline Doubles load_doubles(const float* first) {
  return __builtin_convertvector(*reinterpret_cast<const HalfFloats*>(first), Doubles);
}

/// Sum of the entries, in a fixed order.
inline double total(Doubles v) {
  double sums[kDoubles];
  __builtin_memcpy(sums, &v, sizeof(v));
  for (int count = kDoubles / 2; count > 0; count /= 2) {
    for (int k = 0; k < count; ++k) sums[k] += sums[k + count];
  }
  return sums[0];
}

/// The same in double precision.
inline double total(Floats v) {
  HalfFloats halves[2];
  __builtin_memcpy(halves, &v, sizeof(v));
  return total(__builtin_convertvector(halves[0], Doubles) +
               __builtin_convertvector(halves[1], Doubles));
}

}  // namespace roadplane::ROADPLANE_KERNELS
