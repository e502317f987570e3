#include "exponent.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace roadplane {

std::optional<double> fit_exponent(std::span<const double> x, std::span<const double> y) {
  const auto positive = [](double v) { return v > 0 && std::isfinite(v); };
  if (x.size() != y.size() || !std::all_of(x.begin(), x.end(), positive) ||
      !std::all_of(y.begin(), y.end(), positive)) {
    throw std::invalid_argument("fit_exponent: expected pairs of positive numbers");
  }
  const auto count = static_cast<double>(x.size());
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += std::log(x[i]) / count;
    mean_y += std::log(y[i]) / count;
  }
  double variance = 0;
  double covariance = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    variance += (std::log(x[i]) - mean_x) * (std::log(x[i]) - mean_x);
    covariance += (std::log(x[i]) - mean_x) * (std::log(y[i]) - mean_y);
  }
  if (!(variance > 1e-20)) return std::nullopt;
  return covariance / variance;
}

}  // namespace roadplane
