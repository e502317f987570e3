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

/// Rows x, y, z, w of kFloats columns that start at block `b`: the blocks of four are put side by
/// side.
struct Columns {
  Floats row[4];
};

#if defined(__AVX512F__)
inline Columns load_columns(const float* b) {
  const Floats p = *reinterpret_cast<const Floats*>(b);
  const Floats q = *reinterpret_cast<const Floats*>(b + 16);
  const Floats r = *reinterpret_cast<const Floats*>(b + 32);
  const Floats s = *reinterpret_cast<const Floats*>(b + 48);
  const Floats pq_low = __builtin_shufflevector(p, q, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20,
                                                21, 22, 23);  // x y | x y
  const Floats rs_low =
      __builtin_shufflevector(r, s, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
  const Floats pq_high = __builtin_shufflevector(p, q, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27,
                                                 28, 29, 30, 31);  // z w | z w
  const Floats rs_high =
      __builtin_shufflevector(r, s, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
  const auto even = [](Floats a, Floats c) {
    return __builtin_shufflevector(a, c, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
  };
  const auto odd = [](Floats a, Floats c) {
    return __builtin_shufflevector(a, c, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30,
                                   31);
  };
  return {
      {even(pq_low, rs_low), odd(pq_low, rs_low), even(pq_high, rs_high), odd(pq_high, rs_high)}};
}
#elif defined(__AVX2__)
inline Floats side_by_side(const float* a, const float* b) {
  return __builtin_shufflevector(*reinterpret_cast<const Quad*>(a),
                                 *reinterpret_cast<const Quad*>(b), 0, 1, 2, 3, 4, 5, 6, 7);
}
inline Columns load_columns(const float* b) {
  return {{side_by_side(b, b + 16), side_by_side(b + 4, b + 20), side_by_side(b + 8, b + 24),
           side_by_side(b + 12, b + 28)}};
}
#else
inline Columns load_columns(const float* b) {
  const auto* quads = reinterpret_cast<const Quad*>(b);
  return {{quads[0], quads[1], quads[2], quads[3]}};
}
#endif

/// One row of a block (or of two neighbouring blocks, where a register holds that much) in double
/// precision; `part` counts the registers that a row of a block fills.
#if defined(__AVX512F__)
inline constexpr int kBlocksPerLoad = 2;
inline constexpr int kLoadsPerBlock = 1;
inline Doubles load_doubles(const float* row, int) {
  return __builtin_convertvector(
      __builtin_shufflevector(*reinterpret_cast<const Quad*>(row),
                              *reinterpret_cast<const Quad*>(row + 16), 0, 1, 2, 3, 4, 5, 6, 7),
      Doubles);
}
#else
inline constexpr int kBlocksPerLoad = 1;
inline constexpr int kLoadsPerBlock = 4 / kDoubles;
inline Doubles load_doubles(const float* row, int part) {
  return __builtin_convertvector(*reinterpret_cast<const HalfFloats*>(row + part * kDoubles),
                                 Doubles);
}
#endif

/// Sum of the entries, in double precision and in a fixed order.
inline double total(Floats v) {
  double sum = 0;
  for (int k = 0; k < kFloats; ++k) sum += static_cast<double>(v[k]);
  return sum;
}

}  // namespace roadplane::ROADPLANE_KERNELS
