#include <algorithm>
#include <array>
#include <cmath>

#include "roadplane/ground/labelling.hpp"

namespace roadplane {
namespace {

constexpr float kBin = 2.5e-4F;  // [rad]
constexpr std::size_t kBins =    // up to 0.05 rad: beyond that nothing is road
    std::tuple_size_v<ResidualHistogram>;
constexpr std::size_t kSmoothing = 4;  // bins on either side: +-1e-3 rad
constexpr double kFallenTo = 0.1;      // of the peak

using Density = std::array<double, kBins>;

Density smoothed(const ResidualHistogram& counts) {
  Density means{};
  for (std::size_t k = 0; k < kBins; ++k) {
    const std::size_t first = k < kSmoothing ? 0 : k - kSmoothing;
    const std::size_t last = std::min(kBins - 1, k + kSmoothing);
    double sum = 0;
    for (std::size_t j = first; j <= last; ++j) sum += static_cast<double>(counts[j]);
    means[k] = sum / static_cast<double>(last - first + 1);
  }
  return means;
}

}  // namespace

ResidualHistogram histogram_below(std::span<const float> residuals) {
  ResidualHistogram counts{};
  for (const float r : residuals) {
    if (r <= 0 && r > -kBin * kBins) ++counts[static_cast<std::size_t>(-r / kBin)];
  }
  return counts;
}

double auto_threshold(const ResidualHistogram& counts) {
  const Density density = smoothed(counts);
  const auto peak = std::max_element(density.begin(), density.end());
  const auto fallen =
      std::find_if(peak, density.end(), [&](double d) { return d <= kFallenTo * *peak; });
  return kBin * std::max<double>(1, static_cast<double>(fallen - density.begin()));
}

}  // namespace roadplane
