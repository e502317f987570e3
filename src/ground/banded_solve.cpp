#include "banded_solve.hpp"

#include <algorithm>

namespace roadplane {

void BandedSystem::resize(int unknowns, int band) {
  unknowns_ = unknowns;
  band_ = band;
  entries_.assign(static_cast<std::size_t>(unknowns) * static_cast<std::size_t>(band + 1), 0.0F);
}

void BandedSystem::solve(std::span<float> right) {
  for (int k = 0; k < unknowns_; ++k) {
    const float* row = &at(k, 0);
    const int reach = std::min(band_, unknowns_ - 1 - k);
    for (int i = 1; i <= reach; ++i) {
      if (row[i] == 0) continue;  // where no ground is seen
      const float factor = row[i] / row[0];
      float* lower = &at(k + i, 0);
      for (int j = i; j <= reach; ++j) lower[j - i] -= factor * row[j];
      right[static_cast<std::size_t>(k + i)] -= factor * right[static_cast<std::size_t>(k)];
    }
  }
  for (int k = unknowns_ - 1; k >= 0; --k) {
    const float* row = &at(k, 0);
    const int reach = std::min(band_, unknowns_ - 1 - k);
    float sum = right[static_cast<std::size_t>(k)];
    for (int i = 1; i <= reach; ++i) sum -= row[i] * right[static_cast<std::size_t>(k + i)];
    right[static_cast<std::size_t>(k)] = sum / row[0];
  }
}

}  // namespace roadplane
