#include "roadplane/evaluation/max_f.hpp"

#include <algorithm>
#include <numeric>

#include "roadplane/evaluation/confusion.hpp"

namespace roadplane {

ThresholdCounts& ThresholdCounts::operator+=(const ThresholdCounts& more) {
  for (std::size_t k = 0; k < road.size(); ++k) {
    road[k] += more.road[k];
    other[k] += more.other[k];
  }
  return *this;
}

std::size_t ThresholdCounts::cells() const {
  return std::accumulate(road.begin(), road.end(), std::size_t{0}) +
         std::accumulate(other.begin(), other.end(), std::size_t{0});
}

MaxF max_f(const ThresholdCounts& counts) {
  constexpr std::size_t kRecalls = 11;
  MaxF best;
  std::array<double, kRecalls> precision_from{};  // the best that reaches a recall of k / 10
  Confusion c;
  c.false_negatives = std::accumulate(counts.road.begin(), counts.road.end(), std::size_t{0});
  c.true_negatives = std::accumulate(counts.other.begin(), counts.other.end(), std::size_t{0});
  for (int threshold = 255; threshold >= 0; --threshold) {  // what is at least that is road
    const auto k = static_cast<std::size_t>(threshold);
    c.true_positives += counts.road[k];
    c.false_negatives -= counts.road[k];
    c.false_positives += counts.other[k];
    c.true_negatives -= counts.other[k];
    for (std::size_t r = 0; r < kRecalls; ++r) {
      if (c.recall() < static_cast<double>(r) / (kRecalls - 1)) break;
      precision_from[r] = std::max(precision_from[r], c.precision());
    }
    if (c.f1() <= best.max_f) continue;
    const std::size_t negatives = c.false_positives + c.true_negatives;
    const double wrong = static_cast<double>(c.false_positives);
    best = {c.f1(),
            threshold,
            c.precision(),
            c.recall(),
            negatives == 0 ? 0 : wrong / static_cast<double>(negatives),
            0};
  }
  best.average_precision =
      std::accumulate(precision_from.begin(), precision_from.end(), 0.0) / kRecalls;
  return best;
}

}  // namespace roadplane
