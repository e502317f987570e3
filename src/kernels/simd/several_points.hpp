#pragma once

// Several points at a time, as many as a register of the instruction set holds or fewer: what is
// done point by point does not depend on how many those are.

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "roadplane/kernels/float_rows.hpp"
#include "roadplane/kernels/vectors.hpp"

namespace roadplane::ROADPLANE_KERNELS {

/// Numbers of n points.
template <std::size_t n>
struct Lanes {
  typedef float Floats __attribute__((vector_size(4 * n)));
  typedef std::int32_t Mask __attribute__((vector_size(4 * n)));
  typedef std::uint16_t Shorts __attribute__((vector_size(2 * n)));
  typedef std::uint8_t Bytes __attribute__((vector_size(n)));

  struct Points {
    Floats x, y, z;
  };
};

template <std::size_t n>
inline typename Lanes<n>::Floats load_floats(const float* p) {
  typename Lanes<n>::Floats floats;
  __builtin_memcpy(&floats, p, sizeof(floats));
  return floats;
}

/// f(k, lane) for n of `count` entries after the other, from the k-th on: lane(m) is the m-th of
/// them, or the first where there are fewer.
template <std::size_t n, class F>
inline void several_at_once(std::size_t count, const F& f) {
  const std::size_t whole = count / n * n;
  for (std::size_t k = 0; k < whole; k += n) f(k, [](std::size_t m) { return m; });
  const std::size_t left = count - whole;
  if (left > 0) f(whole, [left](std::size_t m) { return m < left ? m : 0; });
}

/// Where four floats of a point lie: in a scan's own rows, ...
struct ScanRows {
  static constexpr bool kInTurn = true;  ///< four floats of a point, then those of the next
  const float* first;

  __attribute__((always_inline)) const float* operator()(std::size_t k) const {
    return first + 4 * k;
  }
};

/// ... and in any others.
struct OtherRows {
  static constexpr bool kInTurn = false;
  FloatRows rows;

  __attribute__((always_inline)) const float* operator()(std::size_t k) const {
    return k == rows.outermost ? rows.copy
                               : rows.first + static_cast<std::ptrdiff_t>(k) * rows.stride;
  }
};

/// f(row), where row(k) is where four floats of point k lie.
template <class F>
inline auto with_rows(const FloatRows& points, const F& f) {
  return points.four ? f(ScanRows{points.first}) : f(OtherRows{points});
}

inline Quad root(Quad v) { return square_root(v); }
inline bool all(Lanes<4>::Mask mask) { return (mask[0] & mask[1] & mask[2] & mask[3]) != 0; }

/// Points of which four floats lie at at(0), at(1), ...
template <class At>
inline void load_points(const At& at, Lanes<4>::Points& points) {
  const Coordinates p =
      coordinates(load_quad(at(0)), load_quad(at(1)), load_quad(at(2)), load_quad(at(3)));
  points = {p.x, p.y, p.z};
}

#if defined(__AVX2__)
inline Lanes<8>::Floats root(Lanes<8>::Floats v) { return _mm256_sqrt_ps(v); }
inline bool all(Lanes<8>::Mask mask) {
  return _mm256_movemask_ps(_mm256_castsi256_ps(reinterpret_cast<const __m256i&>(mask))) == 0xFF;
}

inline __m256 pair_of_rows(const float* a, const float* b) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(a)), _mm_loadu_ps(b), 1);
}

template <class At>
inline void load_points(const At& at, Lanes<8>::Points& points) {
  const __m256 a = pair_of_rows(at(0), at(4));
  const __m256 b = pair_of_rows(at(1), at(5));
  const __m256 c = pair_of_rows(at(2), at(6));
  const __m256 d = pair_of_rows(at(3), at(7));
  const __m256 ab_low = _mm256_unpacklo_ps(a, b);  // ax bx ay by
  const __m256 cd_low = _mm256_unpacklo_ps(c, d);
  points = {_mm256_shuffle_ps(ab_low, cd_low, 0x44), _mm256_shuffle_ps(ab_low, cd_low, 0xEE),
            _mm256_shuffle_ps(_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d), 0x44)};
}
#endif

#if defined(__AVX512F__)
inline Lanes<16>::Floats root(Lanes<16>::Floats v) { return _mm512_maskz_sqrt_ps(0xFFFF, v); }
inline bool all(Lanes<16>::Mask mask) {
  return _mm512_movepi32_mask(reinterpret_cast<const __m512i&>(mask)) == 0xFFFF;
}

/// Of rows that lie four in a register. (The intrinsics for this make GCC warn.)
inline Lanes<16>::Points points_of(Floats a, Floats b, Floats c, Floats d) {
  const auto xy = [](Floats e, Floats f) __attribute__((always_inline)) {
    return __builtin_shufflevector(e, f, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
  };
  const auto z = [](Floats e, Floats f) __attribute__((always_inline)) {
    return __builtin_shufflevector(e, f, 2, 6, 10, 14, 18, 22, 26, 30, 2, 6, 10, 14, 18, 22, 26,
                                   30);
  };
  const auto low = [](Floats e, Floats f) __attribute__((always_inline)) {
    return __builtin_shufflevector(e, f, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
  };
  const Floats ab = xy(a, b);
  const Floats cd = xy(c, d);
  return {
      low(ab, cd),
      __builtin_shufflevector(ab, cd, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31),
      low(z(a, b), z(c, d))};
}

template <class At>
inline void load_points(const At& at, Lanes<16>::Points& points) {
  const auto four = [&](std::size_t first) __attribute__((always_inline)) {
    return __builtin_shufflevector(pair_of_rows(at(first), at(first + 1)),
                                   pair_of_rows(at(first + 2), at(first + 3)), 0, 1, 2, 3, 4, 5, 6,
                                   7, 8, 9, 10, 11, 12, 13, 14, 15);
  };
  points = points_of(four(0), four(4), four(8), four(12));
}
#endif

/// Points that follow each other, from the k-th on.
template <std::size_t n, class Row>
inline typename Lanes<n>::Points load_in_turn(const Row& row, std::size_t k) {
#if defined(__AVX512F__)
  if constexpr (n == 16 && Row::kInTurn) {
    const float* rows = row(k);
    return points_of(load_floats<16>(rows), load_floats<16>(rows + 16), load_floats<16>(rows + 32),
                     load_floats<16>(rows + 48));
  }
#endif
  typename Lanes<n>::Points points;
  load_points(
      [&](std::size_t m) __attribute__((always_inline)) { return row(k + m); }, points);
  return points;
}

/// Whether n points lie in the scan as they lie in the shard.
template <std::size_t n>
inline bool in_turn(const std::uint32_t* own) {
  constexpr std::int32_t kLanes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  typename Lanes<n>::Mask lane, places;
  __builtin_memcpy(&lane, kLanes, sizeof(lane));
  __builtin_memcpy(&places, own, sizeof(places));
  return all(places - static_cast<std::int32_t>(own[0]) == lane);
}

/// Of n points from that place on; null means that nobody wants their residuals.
template <std::size_t n>
inline void store_label(typename Lanes<n>::Floats residual, typename Lanes<n>::Mask inside,
                        std::size_t place, float* residuals, std::uint8_t* within) {
#if defined(__AVX512VL__)
  const auto& numbers = inside;
#else  // where it takes two steps, which GCC does not find
  const auto numbers = __builtin_convertvector(inside, typename Lanes<n>::Shorts);
#endif
  const auto bytes = __builtin_convertvector(numbers & 1, typename Lanes<n>::Bytes);
  if (residuals != nullptr) __builtin_memcpy(residuals + place, &residual, sizeof(residual));
  __builtin_memcpy(within + place, &bytes, sizeof(bytes));
}

}  // namespace roadplane::ROADPLANE_KERNELS
