#pragma once

// Several points at a time, as many as a register of the instruction set holds: what is done point
// by point does not depend on how many those are.

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "roadplane/kernels/float_rows.hpp"
#include "roadplane/kernels/vectors.hpp"

namespace roadplane::ROADPLANE_KERNELS {

#if defined(__AVX2__)
inline constexpr std::size_t kSeveral = 8;
#else
inline constexpr std::size_t kSeveral = 4;
#endif

typedef float Several __attribute__((vector_size(4 * kSeveral)));
typedef std::int32_t SeveralMask __attribute__((vector_size(4 * kSeveral)));
typedef std::uint16_t SeveralShorts __attribute__((vector_size(2 * kSeveral)));
typedef std::uint8_t SeveralBytes __attribute__((vector_size(kSeveral)));

inline Several load_several(const float* p) {
  Several several;
  __builtin_memcpy(&several, p, sizeof(several));
  return several;
}

struct SeveralPoints {
  Several x, y, z;
};

/// f(k, lane) for several of `count` entries after the other, from the k-th on: lane(m) is the m-th
/// of them, or the first where there are fewer.
template <class F>
inline void several_at_once(std::size_t count, const F& f) {
  const std::size_t whole = count / kSeveral * kSeveral;
  for (std::size_t k = 0; k < whole; k += kSeveral) f(k, [](std::size_t m) { return m; });
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
inline SeveralPoints load_points(const At& at) {
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
inline Several root(Several v) { return _mm256_sqrt_ps(v); }
inline bool all(SeveralMask mask) {
  return _mm256_movemask_ps(_mm256_castsi256_ps(reinterpret_cast<const __m256i&>(mask))) == 0xFF;
}
#else
template <class At>
inline SeveralPoints load_points(const At& at) {
  const Coordinates p =
      coordinates(load_quad(at(0)), load_quad(at(1)), load_quad(at(2)), load_quad(at(3)));
  return {p.x, p.y, p.z};
}
inline Several root(Several v) { return square_root(v); }
inline bool all(SeveralMask mask) { return (mask[0] & mask[1] & mask[2] & mask[3]) != 0; }
#endif

/// Whether several points lie in the scan as they lie in the shard.
inline bool in_turn(const std::uint32_t* own) {
#if defined(__AVX2__)
  constexpr SeveralMask kLane{0, 1, 2, 3, 4, 5, 6, 7};
#else
  constexpr SeveralMask kLane{0, 1, 2, 3};
#endif
  SeveralMask places;
  __builtin_memcpy(&places, own, sizeof(places));
  return all(places - static_cast<std::int32_t>(own[0]) == kLane);
}

/// Of several points from that place on; null means that nobody wants their residuals.
inline void store_label(Several residual, SeveralMask inside, std::size_t place, float* residuals,
                        std::uint8_t* within) {
  const SeveralBytes bytes = __builtin_convertvector(inside & 1, SeveralBytes);
  if (residuals != nullptr) __builtin_memcpy(residuals + place, &residual, sizeof(residual));
  __builtin_memcpy(within + place, &bytes, sizeof(bytes));
}

}  // namespace roadplane::ROADPLANE_KERNELS
