// Apart from the other kernels because it is compiled with fused multiply-add, which is exact here:
// products of floats are exact in double precision.

#include "roadplane/kernels/vectors.hpp"

namespace roadplane::ROADPLANE_KERNELS {

void add_moment(const float* groups, std::size_t count, double* sums);

void add_moment(const float* groups, std::size_t count, double* sums) {
  Doubles acc[10] = {};
  for (const float* group = groups; group != groups + count * kGroupFloats; group += kGroupFloats) {
    for (std::size_t part = 0; part < kGroup; part += kDoubles) {
      Doubles v[4];
      for (int r = 0; r < 4; ++r) v[r] = load_doubles(group + part + r * kGroup);
      int n = 0;
      for (int r = 0; r < 4; ++r) {
        for (int c = 0; c <= r; ++c) acc[n++] += v[r] * v[c];
      }
    }
  }
  for (int n = 0; n < 10; ++n) sums[n] += total(acc[n]);
}

}  // namespace roadplane::ROADPLANE_KERNELS
