#include "roadplane/evaluation/confusion.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "roadplane/evaluation/scoring.hpp"

namespace roadplane {
namespace {

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

/// Road and other points by distance. The upper bits of a float without its sign ascend with it, so
/// they number the bins: a relative width of 1/128, and no sorting.
struct Bins {
  std::vector<double> road = std::vector<double>(1 << 15);
  std::vector<double> other = std::vector<double>(1 << 15);

  Bins(std::span<const float> residuals, std::span<const std::uint8_t> truth) {
    if (residuals.size() != truth.size()) {
      throw std::invalid_argument("evaluation: expected as many residuals as labels");
    }
    for (std::size_t k = 0; k < residuals.size(); ++k) {
      if (truth[k] == kLeftOut) continue;
      const std::uint32_t bin = std::bit_cast<std::uint32_t>(std::abs(residuals[k])) >> 16;
      (truth[k] != kNegative ? road : other)[bin] += 1;
    }
  }
};

}  // namespace

double Confusion::precision() const {
  return ratio(static_cast<double>(true_positives),
               static_cast<double>(true_positives + false_positives));
}

double Confusion::recall() const {
  return ratio(static_cast<double>(true_positives),
               static_cast<double>(true_positives + false_negatives));
}

double Confusion::f1() const {
  return ratio(2.0 * static_cast<double>(true_positives),
               static_cast<double>(2 * true_positives + false_positives + false_negatives));
}

double Confusion::iou() const {
  return ratio(static_cast<double>(true_positives),
               static_cast<double>(true_positives + false_positives + false_negatives));
}

double Confusion::accuracy() const {
  return ratio(static_cast<double>(true_positives + true_negatives), static_cast<double>(points()));
}

std::size_t Confusion::points() const {
  return true_positives + false_positives + false_negatives + true_negatives;
}

Confusion& Confusion::operator+=(const Confusion& other) {
  true_positives += other.true_positives;
  false_positives += other.false_positives;
  false_negatives += other.false_negatives;
  true_negatives += other.true_negatives;
  return *this;
}

Confusion compare_labels(std::span<const std::uint8_t> labels,
                         std::span<const std::uint8_t> truth) {
  if (labels.size() != truth.size()) {
    throw std::invalid_argument("evaluation: expected as many labels as truth has");
  }
  std::size_t counts[2][2] = {};
  for (std::size_t k = 0; k < labels.size(); ++k) {
    if (truth[k] != kLeftOut) ++counts[labels[k] != 0][truth[k] != kNegative];
  }
  return {counts[1][1], counts[1][0], counts[0][1], counts[0][0]};
}

double area_under_curve(std::span<const float> residuals, std::span<const std::uint8_t> truth) {
  const Bins bins(residuals, truth);
  double road_below = 0;
  double others = 0;
  double ordered_pairs = 0;
  for (std::size_t b = 0; b < bins.road.size(); ++b) {
    ordered_pairs += bins.other[b] * (road_below + bins.road[b] / 2);  // a tie counts half
    road_below += bins.road[b];
    others += bins.other[b];
  }
  const double pairs = road_below * others;
  return pairs > 0 ? ordered_pairs / pairs : 0.5;
}

double best_f1(std::span<const float> residuals, std::span<const std::uint8_t> truth) {
  const Bins bins(residuals, truth);
  double all_road = 0;
  for (const double count : bins.road) all_road += count;
  double best = 0;
  double road = 0;
  double labelled = 0;
  for (std::size_t b = 0; b < bins.road.size(); ++b) {
    road += bins.road[b];
    labelled += bins.road[b] + bins.other[b];
    best = std::max(best, ratio(2 * road, labelled + all_road));
  }
  return best;
}

}  // namespace roadplane
