#include "roadplane/evaluation/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace roadplane {

std::optional<Spread> spread_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  Spread spread;
  spread.count = n;
  spread.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(n);
  double squares = 0;
  for (const double v : values) squares += (v - spread.mean) * (v - spread.mean);
  if (n > 1) spread.deviation = std::sqrt(squares / static_cast<double>(n - 1));
  spread.median = n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
  spread.least = values.front();
  spread.most = values.back();
  return spread;
}

}  // namespace roadplane
