#include "roadplane/compare/band.hpp"

#include <algorithm>
#include <cmath>

namespace roadplane {
namespace {

/// Between two values: in their logarithms, as pictures show them, where they have some.
double between(double a, double b, double share) {
  if (a > 0 && b > 0) return a * std::pow(b / a, share);
  return std::lerp(a, b, share);
}

/// The values that the runs have at x; a run that begins later has none.
std::vector<double> values_at(double x, std::span<const Series> runs) {
  std::vector<double> values;
  for (const Series& run : runs) {
    const auto after = std::upper_bound(run.x.begin(), run.x.end(), x);
    if (after == run.x.begin()) continue;
    const auto next = static_cast<std::size_t>(after - run.x.begin());
    const double last = run.y[next - 1];
    if (after == run.x.end()) {
      values.push_back(last);
    } else {
      const double begin = run.x[next - 1];
      values.push_back(between(last, run.y[next], (x - begin) / (*after - begin)));
    }
  }
  return values;
}

}  // namespace

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], place - static_cast<double>(below));
}

viz::Curve band_of(const std::string& name, std::span<const Series> runs) {
  const auto longest =
      std::max_element(runs.begin(), runs.end(),
                       [](const Series& a, const Series& b) { return a.x.size() < b.x.size(); });
  viz::Curve curve{name, {}, {}};
  if (longest == runs.end()) return curve;
  for (const double x : longest->x) {
    const std::vector<double> values = values_at(x, runs);
    curve.x.push_back(x);
    curve.y.push_back(quantile(values, 0.5));
    if (runs.size() == 1) continue;
    curve.low.push_back(quantile(values, 0.1));
    curve.high.push_back(quantile(values, 0.9));
  }
  return curve;
}

}  // namespace roadplane
