// Apart from the other kernels because it is compiled with fused multiply-add, which is exact here:
// products of floats are exact in double precision.

#include "roadplane/kernels/vectors.hpp"

namespace roadplane::ROADPLANE_KERNELS {

void add_moment(const float* blocks, std::size_t block_count, double* sums);

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
    for (int part = 0; part < kLoadsPerBlock; ++part) add(blocks + k * 16, part);
  }
  for (int n = 0; n < 10; ++n) {
    double sum = 0;
    for (int lane = 0; lane < kDoubles; ++lane) sum += acc[n][lane];
    sums[n] += sum;
  }
}

}  // namespace roadplane::ROADPLANE_KERNELS
