#pragma once

#include "roadplane/kernels/vectors.hpp"

namespace roadplane::ROADPLANE_KERNELS {

typedef std::int32_t Integers __attribute__((vector_size(kFloats * sizeof(std::int32_t))));

inline Floats constant(float value) { return value - Floats{}; }

// What a robust loss is written with, for vectors (single precision) and scalars (double).

/// 1 / v, to the last bit or so: dividing whole AVX-512 registers is slow, a guess and a step of
/// Newton's are not. NaN there for v = 0.
inline Floats reciprocal(Floats v) {
#if defined(__AVX512F__)
  const Floats guess = _mm512_maskz_rcp14_ps(0xFFFF, v);
  return guess * (2.0F - v * guess);
#else
  return 1.0F / v;
#endif
}
inline double reciprocal(double v) { return 1 / v; }

/// 1 / sqrt(v) for v > 0.
inline Floats inverse_root(Floats v) {
#if defined(__AVX512F__)
  return reciprocal(_mm512_maskz_sqrt_ps(0xFFFF, v));
#elif defined(__AVX2__)
  return reciprocal(_mm256_sqrt_ps(v));
#else
  return reciprocal(square_root(v));
#endif
}

/// The smaller of two, b if a is NaN: one instruction, where the compiler would make two.
inline Floats smaller(Floats a, Floats b) {
#if defined(__AVX512F__)
  return _mm512_maskz_min_ps(0xFFFF, a, b);
#elif defined(__AVX2__)
  return _mm256_min_ps(a, b);
#else
  return a < b ? a : b;
#endif
}

inline Floats positive_part(Floats v) {
#if defined(__AVX512F__)
  return _mm512_maskz_max_ps(0xFFFF, v, Floats{});
#elif defined(__AVX2__)
  return _mm256_max_ps(v, Floats{});
#else
  return v > Floats{} ? v : Floats{};
#endif
}
inline double positive_part(double v) { return v > 0 ? v : 0; }

/// 2^z for z <= 0, to single precision: a polynomial between the powers (Cephes' exp2f).
inline Floats power_of_two(Floats z) {
  const Floats clamped = z < constant(-126.0F) ? constant(-126.0F) : z;
  const Integers whole = __builtin_convertvector(clamped - 0.5F, Integers);  // rounds to nearest
  const Floats f = clamped - __builtin_convertvector(whole, Floats);
  Floats p = f * 1.535336188319500e-4F + 1.339887440266574e-3F;
  p = p * f + 9.618437357674640e-3F;
  p = p * f + 5.550332471162809e-2F;
  p = p * f + 2.402264791363012e-1F;
  p = p * f + 6.931472028550421e-1F;
  p = p * f + 1.0F;
  const Integers bits = (whole + 127) << 23;
  Floats power;
  __builtin_memcpy(&power, &bits, sizeof(power));
  return p * power;
}

/// exp(-v / 2) for v >= 0.
inline Floats exp_minus_half(Floats v) {
  constexpr float kHalfLog2E = 0.72134752F;
  return power_of_two(v * -kHalfLog2E);
}
inline double exp_minus_half(double v) { return __builtin_exp(-v / 2); }

}  // namespace roadplane::ROADPLANE_KERNELS
