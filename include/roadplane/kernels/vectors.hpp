#pragma once

// Vectors for code that is compiled once per instruction set.

#include <cstddef>
#include <cstdint>
#include <utility>

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

inline Doubles to_doubles(HalfFloats v) {
#if defined(__AVX512F__)  // one instruction, where the compiler would make five
  return _mm512_maskz_cvtps_pd(0xFF, v);
#else
  return __builtin_convertvector(v, Doubles);
#endif
}

inline Doubles load_doubles(const float* first) {
  return to_doubles(*reinterpret_cast<const HalfFloats*>(first));
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

/// Half as many entries with the same sum, in double precision.
inline Doubles folded(Floats v) {
  HalfFloats halves[2];
  __builtin_memcpy(halves, &v, sizeof(v));
  return to_doubles(halves[0]) + to_doubles(halves[1]);
}

inline double total(Floats v) { return total(folded(v)); }

/// Of two vectors that hold sums in blocks of 2 kBlock entries, one that holds them in blocks of
/// half as many.
template <std::size_t kBlock, std::size_t... lane>
inline Doubles fold(Doubles a, Doubles b, std::index_sequence<lane...>) {
  constexpr auto first_of = [](std::size_t k) { return k + k / kBlock * kBlock; };
  return __builtin_shufflevector(a, b, first_of(lane)...) +
         __builtin_shufflevector(a, b, (first_of(lane) + kBlock)...);
}

/// The sums of so many vectors' entries, or of their blocks, side by side.
template <std::size_t kCount>
inline Doubles fold_all(const Doubles* v) {
  if constexpr (kCount == 1) {
    return *v;
  } else {
    Doubles next[kCount / 2];
    for (std::size_t k = 0; k < kCount / 2; ++k) {
      next[k] = fold<kCount / 2>(v[2 * k], v[2 * k + 1],
                                 std::make_index_sequence<std::size_t{kDoubles}>());
    }
    return fold_all<kCount / 2>(next);
  }
}

/// Adds the total of each of so many vectors to its sum: the same bits as one after the other, in a
/// third of the instructions.
template <std::size_t kSums>
inline void add_totals(const Floats* v, double* sums) {
  std::size_t n = 0;
  for (; n + kDoubles <= kSums; n += kDoubles) {
    Doubles some[kDoubles];
    for (std::size_t k = 0; k < kDoubles; ++k) some[k] = folded(v[n + k]);
    Doubles sum;
    __builtin_memcpy(&sum, sums + n, sizeof(sum));
    sum += fold_all<kDoubles>(some);
    __builtin_memcpy(sums + n, &sum, sizeof(sum));
  }
  for (; n < kSums; ++n) sums[n] += total(v[n]);
}

}  // namespace roadplane::ROADPLANE_KERNELS
