#include "roadplane/kernels/band_kernel.hpp"

#include "several_points.hpp"
#include "tables.hpp"

namespace roadplane::ROADPLANE_KERNELS {
namespace {

constexpr std::size_t kEight = BandedEquations::kTogether;
constexpr std::size_t kSeveral = kFloats < kEight ? kFloats : kEight;
using Several = Lanes<kSeveral>::Floats;

/// lower -= factor row; reads and writes whole eights.
inline void subtract(const float* row, float factor, std::size_t count, float* lower) {
  for (std::size_t j = 0; j < count; j += kEight) {
    for (std::size_t part = j; part < j + kEight; part += kSeveral) {
      const Several left =
          load_floats<kSeveral>(lower + part) - factor * load_floats<kSeveral>(row + part);
      __builtin_memcpy(lower + part, &left, sizeof(left));
    }
  }
}

/// In eight sums, whatever the instruction set.
inline float dot(const float* a, const float* b, std::size_t count) {
  Several sums[kEight / kSeveral] = {};
  for (std::size_t j = 0; j < count; j += kEight) {
    for (std::size_t part = 0; part < kEight / kSeveral; ++part) {
      const std::size_t at = j + part * kSeveral;
      sums[part] += load_floats<kSeveral>(a + at) * load_floats<kSeveral>(b + at);
    }
  }
  const auto lane = [&](std::size_t k) { return sums[k / kSeveral][k % kSeveral]; };
  return ((lane(0) + lane(4)) + (lane(2) + lane(6))) + ((lane(1) + lane(5)) + (lane(3) + lane(7)));
}

void solve(const BandedEquations& equations, float* right) {
  const BandedEquations e = equations;
  const auto reach_of = [&](std::size_t k) {
    return e.band < e.unknowns - 1 - k ? e.band : e.unknowns - 1 - k;
  };
  for (std::size_t k = 0; k < e.unknowns; ++k) {
    const float* row = e.entries + k * e.width;
    const std::size_t reach = reach_of(k);
    const float inverse = 1 / row[0];
    for (std::size_t i = 1; i <= reach; ++i) {
      if (row[i] == 0) continue;
      subtract(row + i, row[i] * inverse, reach - i + 1, e.entries + (k + i) * e.width);
    }
    subtract(row + 1, right[k] * inverse, reach, right + k + 1);
  }
  for (std::size_t k = e.unknowns; k-- > 0;) {
    const float* row = e.entries + k * e.width;
    right[k] = (right[k] - dot(row + 1, right + k + 1, reach_of(k))) / row[0];
  }
}

}  // namespace

extern const BandKernel kBandKernel = solve;

}  // namespace roadplane::ROADPLANE_KERNELS
