#include "roadplane/kernels/cloud_kernels.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "roadplane/kernels/vectors.hpp"
#include "tables.hpp"

namespace roadplane::ROADPLANE_KERNELS {

void add_moment(const float* blocks, std::size_t block_count, double* sums);  // moment_kernel.cpp

namespace {

constexpr std::size_t kBlock = 16;  // floats: x4 y4 z4 w4
#if defined(__AVX2__)
constexpr std::size_t kPrefetch = 48;  // points ahead; a shard's points may lie far apart
#endif

/// Unit columns of four points and whether each of them is usable.
struct FourColumns {
  Quad row[4];
  bool all_good;
  QuadMask good;
};

inline FourColumns normalise_four(Quad a, Quad b, Quad c, Quad d) {
  const auto [x, y, z] = coordinates(a, b, c, d);
  const Quad squared = x * x + y * y + z * z;
  const Quad scale = 1.0F / square_root(squared + 1.0F);
  // A missing return (the origin) has squared = 0, NaN fails both comparisons, and infinite or
  // overflowing coordinates give an infinite square.
  const QuadMask good = (squared > 0.0F) & (squared < __builtin_inff());
  const bool all_good = (good[0] & good[1] & good[2] & good[3]) != 0;
  return {{x * scale, y * scale, z * scale, scale}, all_good, good};
}

/// Column by column, for groups with unusable points and for what follows them.
inline std::size_t append_slowly(const FourColumns& four, std::size_t lanes,
                                 const std::uint32_t* positions, std::size_t used, float* blocks,
                                 std::uint32_t* index) {
  for (std::size_t k = 0; k < lanes; ++k) {
    if (four.good[k] == 0) continue;
    float* column = blocks + used / 4 * kBlock + used % 4;
    for (int r = 0; r < 4; ++r) column[4 * r] = four.row[r][k];
    index[used++] = positions[k];
  }
  return used;
}

#if defined(__AVX2__)
/// Eight points at a time, as long as blocks are filled from their first lane and all points are
/// usable; returns how many points that took.
template <class PositionOf>
inline std::size_t normalise_eights(const float* points, PositionOf position_of, std::size_t count,
                                    std::size_t& used, float* blocks, std::uint32_t* index) {
  const auto pair = [&](std::size_t a, std::size_t b) __attribute__((always_inline)) {
    return _mm256_insertf128_ps(
        _mm256_castps128_ps256(_mm_loadu_ps(points + std::size_t{4} * position_of(a))),
        _mm_loadu_ps(points + std::size_t{4} * position_of(b)), 1);
  };
  std::size_t k = 0;
  for (; used % 4 == 0 && k + 8 <= count; k += 8) {
    const std::size_t ahead = k + kPrefetch + 8 <= count ? k + kPrefetch : k;
    for (std::size_t m = 0; m < 8; ++m) {
      _mm_prefetch(points + std::size_t{4} * position_of(ahead + m), _MM_HINT_T0);
    }
    const __m256 a = pair(k, k + 4);
    const __m256 b = pair(k + 1, k + 5);
    const __m256 c = pair(k + 2, k + 6);
    const __m256 d = pair(k + 3, k + 7);
    const __m256 ab_low = _mm256_unpacklo_ps(a, b);  // ax bx ay by
    const __m256 cd_low = _mm256_unpacklo_ps(c, d);
    const __m256 x = _mm256_shuffle_ps(ab_low, cd_low, 0x44);
    const __m256 y = _mm256_shuffle_ps(ab_low, cd_low, 0xEE);
    const __m256 z = _mm256_shuffle_ps(_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d), 0x44);
    const __m256 squared = x * x + y * y + z * z;
    const __m256 good =
        _mm256_and_ps(_mm256_cmp_ps(squared, _mm256_setzero_ps(), _CMP_GT_OQ),
                      _mm256_cmp_ps(squared, _mm256_set1_ps(__builtin_inff()), _CMP_LT_OQ));
    if (_mm256_movemask_ps(good) != 0xFF) break;
    const __m256 scale = 1.0F / _mm256_sqrt_ps(squared + 1.0F);
    const __m256 bx = x * scale;
    const __m256 by = y * scale;
    const __m256 bz = z * scale;
    float* block = blocks + used * 4;
    _mm256_store_ps(block, _mm256_permute2f128_ps(bx, by, 0x20));
    _mm256_store_ps(block + 8, _mm256_permute2f128_ps(bz, scale, 0x20));
    _mm256_store_ps(block + 16, _mm256_permute2f128_ps(bx, by, 0x31));
    _mm256_store_ps(block + 24, _mm256_permute2f128_ps(bz, scale, 0x31));
    for (std::size_t m = 0; m < 8; ++m) index[used + m] = position_of(k + m);
    used += 8;
  }
  return k;
}
#endif

std::size_t normalise(const float* points, const std::uint32_t* subset, std::uint32_t first,
                      std::size_t count, std::size_t used, float* blocks, std::uint32_t* index) {
  std::size_t k = 0;
#if defined(__AVX2__)
  k = subset != nullptr
          ? normalise_eights(
                points, [subset](std::size_t m) { return subset[m]; }, count, used, blocks, index)
          : normalise_eights(
                points, [first](std::size_t m) { return first + static_cast<std::uint32_t>(m); },
                count, used, blocks, index);
#endif
  for (; k < count; k += 4) {
    const std::size_t lanes = count - k < 4 ? count - k : 4;
    std::uint32_t positions[4];
    Quad point[4];
    for (std::size_t m = 0; m < 4; ++m) {
      const std::size_t entry = k + (m < lanes ? m : 0);
      positions[m] = subset != nullptr ? subset[entry] : first + static_cast<std::uint32_t>(entry);
      point[m] = load_quad(points + std::size_t{4} * positions[m]);
    }
    const FourColumns four = normalise_four(point[0], point[1], point[2], point[3]);
    if (four.all_good && lanes == 4 && used % 4 == 0) {
      auto* block = reinterpret_cast<Quad*>(blocks + used * 4);
      for (int r = 0; r < 4; ++r) block[r] = four.row[r];
      for (int m = 0; m < 4; ++m) index[used + m] = positions[m];
      used += 4;
    } else {
      used = append_slowly(four, lanes, positions, used, blocks, index);
    }
  }
  return used;
}

}  // namespace

extern const CloudKernels kCloudKernels{normalise, add_moment};

}  // namespace roadplane::ROADPLANE_KERNELS
