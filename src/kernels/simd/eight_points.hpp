#pragma once

// Eight points at a time, whatever the instruction set: two registers of four where there is none
// of eight.

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "roadplane/kernels/float_rows.hpp"
#include "roadplane/kernels/vectors.hpp"

namespace roadplane::ROADPLANE_KERNELS {

inline constexpr std::size_t kEight = 8;

typedef float Eight __attribute__((vector_size(32)));
typedef std::int32_t EightMask __attribute__((vector_size(32)));

typedef std::uint16_t EightShorts __attribute__((vector_size(16)));
typedef std::uint8_t EightBytes __attribute__((vector_size(8)));

inline Eight load_eight(const float* p) {
  Eight eight;
  __builtin_memcpy(&eight, p, sizeof(eight));
  return eight;
}

struct EightPoints {
  Eight x, y, z;
};

/// f(k, lane) for every eight of `count` entries, from the k-th on: lane(m) is the m-th of them, or
/// the first where there are fewer.
template <class F>
inline void in_eights(std::size_t count, const F& f) {
  const std::size_t whole = count / kEight * kEight;
  for (std::size_t k = 0; k < whole; k += kEight) f(k, [](std::size_t m) { return m; });
  const std::size_t left = count - whole;
  if (left > 0) f(whole, [left](std::size_t m) { return m < left ? m : 0; });
}

/// f(row), where row(k) is where four floats of point k lie. For a scan's own rows it is a shift.
template <class F>
inline auto with_rows(const FloatRows& points, const F& f) {
  const float* first = points.first;
  if (points.four) {
    return f([first](std::size_t k) __attribute__((always_inline)) { return first + 4 * k; });
  }
  const std::size_t outermost = points.outermost;
  const float* copy = points.copy;
  const std::ptrdiff_t stride = points.stride;
  return f([=](std::size_t k) __attribute__((always_inline)) {
    return k == outermost ? copy : first + static_cast<std::ptrdiff_t>(k) * stride;
  });
}

#if defined(__AVX2__)
template <class At>
inline EightPoints load_points(const At& at) {
  const auto pair = [&](std::size_t a, std::size_t b) __attribute__((always_inline)) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(at(a))), _mm_loadu_ps(at(b)),
                                1);
  };
  const __m256 a = pair(0, 4);
  const __m256 b = pair(1, 5);
  const __m256 c = pair(2, 6);
  const __m256 d = pair(3, 7);
  const __m256 ab_low = _mm256_unpacklo_ps(a, b);  // ax bx ay by
  const __m256 cd_low = _mm256_unpacklo_ps(c, d);
  return {_mm256_shuffle_ps(ab_low, cd_low, 0x44), _mm256_shuffle_ps(ab_low, cd_low, 0xEE),
          _mm256_shuffle_ps(_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d), 0x44)};
}
inline Eight root(Eight v) { return _mm256_sqrt_ps(v); }
inline bool all(EightMask mask) {
  return _mm256_movemask_ps(_mm256_castsi256_ps(reinterpret_cast<const __m256i&>(mask))) == 0xFF;
}
#else
inline Eight both(Quad low, Quad high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
template <class At>
inline EightPoints load_points(const At& at) {
  const auto four = [&](std::size_t k) {
    return coordinates(load_quad(at(k)), load_quad(at(k + 1)), load_quad(at(k + 2)),
                       load_quad(at(k + 3)));
  };
  const Coordinates low = four(0);
  const Coordinates high = four(4);
  return {both(low.x, high.x), both(low.y, high.y), both(low.z, high.z)};
}
inline Eight root(Eight v) {
  return both(square_root(__builtin_shufflevector(v, v, 0, 1, 2, 3)),
              square_root(__builtin_shufflevector(v, v, 4, 5, 6, 7)));
}
inline bool all(EightMask mask) {
  std::int32_t every = -1;
  for (std::size_t k = 0; k < kEight; ++k) every &= mask[k];
  return every != 0;
}
#endif

/// Whether eight points lie in the scan as they lie in the shard.
inline bool in_turn(const std::uint32_t* own) {
  constexpr EightMask kLane{0, 1, 2, 3, 4, 5, 6, 7};
  EightMask places;
  __builtin_memcpy(&places, own, sizeof(places));
  return all(places - static_cast<std::int32_t>(own[0]) == kLane);
}

/// Of eight points from that place on.
inline void store_label(Eight residual, EightMask inside, std::size_t place, float* residuals,
                        std::uint8_t* within) {
  const EightBytes bytes = __builtin_convertvector(inside & 1, EightBytes);
  __builtin_memcpy(residuals + place, &residual, sizeof(residual));
  __builtin_memcpy(within + place, &bytes, sizeof(bytes));
}

}  // namespace roadplane::ROADPLANE_KERNELS
