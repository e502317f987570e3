#include "banded_solve.hpp"

namespace roadplane {

void BandedSystem::resize(std::size_t unknowns, std::size_t band) {
  constexpr std::size_t kMore = BandedEquations::kTogether - 1;
  equations_ = {nullptr, unknowns, band, band + 1 + kMore};
  entries_.assign(unknowns * equations_.width, 0.0F);
  right_.assign(unknowns + equations_.width, 0.0F);
}

std::span<const float> BandedSystem::solve() {
  equations_.entries = entries_.data();
  band_kernel(active_isa())(equations_, right_.data());
  return right_;
}

}  // namespace roadplane
