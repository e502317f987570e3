#include "cloud_kernels.hpp"

#if defined(__SSE__)
#include <immintrin.h>
#else
#include <math.h>  // not <cmath>: see vectors.hpp
#endif

#include "vectors.hpp"

namespace roadplane::ROADPLANE_KERNELS {
namespace {

constexpr std::size_t kBlock = 16;  // floats: x4 y4 z4 w4

typedef std::int32_t QuadMask __attribute__((vector_size(16)));

/// Unit columns of four points and whether each of them is usable.
struct FourColumns {
  Quad row[4];
  bool all_good;
  QuadMask good;
};

inline Quad square_root(Quad v) {
#if defined(__SSE__)
  return _mm_sqrt_ps(v);
#else
  return Quad{sqrtf(v[0]), sqrtf(v[1]), sqrtf(v[2]), sqrtf(v[3])};
#endif
}

inline FourColumns normalise_four(Quad a, Quad b, Quad c, Quad d) {
  const Quad ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);  // ax bx ay by
  const Quad cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const Quad ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);  // az bz
  const Quad cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const Quad x = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  const Quad y = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  const Quad z = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
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

std::size_t normalise(const float* points, const std::uint32_t* subset, std::uint32_t first,
                      std::size_t count, std::size_t used, float* blocks, std::uint32_t* index) {
  for (std::size_t k = 0; k < count; k += 4) {
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

/// Products of floats are exact in double precision; so are the sums, nearly.
void add_moment(const float* blocks, std::size_t block_count, double* sums) {
  Doubles acc[10] = {};
  const auto add = [&acc](const float* block, int part) __attribute__((always_inline)) {
    Doubles v[4];
    for (int r = 0; r < 4; ++r) v[r] = load_doubles(block + 4 * r, part);
    int n = 0;
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c <= r; ++c) acc[n++] += v[r] * v[c];
    }
  };
  for (std::size_t k = 0; k < block_count; k += kBlocksPerLoad) {
    for (int part = 0; part < kLoadsPerBlock; ++part) add(blocks + k * kBlock, part);
  }
  for (int n = 0; n < 10; ++n) {
    double sum = 0;
    for (int lane = 0; lane < kDoubles; ++lane) sum += acc[n][lane];
    sums[n] += sum;
  }
}

}  // namespace

extern const CloudKernels kCloudKernels{normalise, add_moment};

}  // namespace roadplane::ROADPLANE_KERNELS
