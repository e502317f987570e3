#include <algorithm>
#include <array>
#include <cmath>

#include "roadplane/geometry/labelling.hpp"

namespace roadplane {
namespace {

constexpr double kBin = 2.5e-4;        // [rad]
constexpr std::size_t kBins = 200;     // up to 0.05 rad: beyond that nothing is road
constexpr std::size_t kSmoothing = 4;  // bins on either side: +-1e-3 rad

using Histogram = std::array<double, kBins>;

Histogram histogram(std::span<const float> residuals) {
  Histogram counts{};
  for (const float r : residuals) {
    const auto bin = static_cast<std::size_t>(r / static_cast<float>(kBin));
    if (r < static_cast<float>(kBin * kBins)) counts[std::min(bin, kBins - 1)] += 1;
  }
  return counts;
}

Histogram smoothed(const Histogram& counts) {
  Histogram means{};
  for (std::size_t k = 0; k < kBins; ++k) {
    const std::size_t first = k < kSmoothing ? 0 : k - kSmoothing;
    const std::size_t last = std::min(kBins - 1, k + kSmoothing);
    double sum = 0;
    for (std::size_t j = first; j <= last; ++j) sum += counts[j];
    means[k] = sum / static_cast<double>(last - first + 1);
  }
  return means;
}

/// The outliers' density: the median of the bins in the far half, where no inlier is left.
double background(const Histogram& density) {
  Histogram sorted = density;
  const auto first = sorted.begin() + kBins / 2;
  const auto middle = first + kBins / 4;
  std::nth_element(first, middle, sorted.end());
  return *middle;
}

}  // namespace

double auto_threshold(std::span<const float> residuals) {
  const Histogram density = smoothed(histogram(residuals));
  const double outliers = background(density);
  // Inliers and outliers together have twice the outliers' density where the two are equal.
  const auto crossing =
      std::find_if(density.begin(), density.end(), [&](double d) { return d <= 2 * outliers; });
  const auto bins = static_cast<double>(crossing - density.begin());
  return std::max(1.0, bins) * kBin;
}

}  // namespace roadplane
