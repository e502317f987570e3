#include "roadplane/evaluation/label_counts.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "roadplane/evaluation/scoring.hpp"

namespace roadplane {
namespace {

std::optional<std::size_t> band_of(const Point& p) {
  const float distance_m = std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
  if (!(distance_m > 0) || std::isinf(distance_m)) return std::nullopt;
  const auto* band = std::find_if(kDistanceBands.begin(), kDistanceBands.end(),
                                  [&](const DistanceBand& b) { return distance_m < b.to_m; });
  return static_cast<std::size_t>(band - kDistanceBands.begin());
}

void count(Confusion& confusion, bool labelled, bool positive) {
  ++(labelled ? (positive ? confusion.true_positives : confusion.false_positives)
              : (positive ? confusion.false_negatives : confusion.true_negatives));
}

}  // namespace

LabelCounts& LabelCounts::operator+=(const LabelCounts& other) {
  all += other.all;
  for (std::size_t b = 0; b < by_distance.size(); ++b) by_distance[b] += other.by_distance[b];
  left_out += other.left_out;
  return *this;
}

LabelCounts count_labels(PointSpan points, std::span<const std::uint8_t> labels,
                         std::span<const std::uint8_t> truth) {
  if (points.size() != labels.size()) {
    throw std::invalid_argument("evaluation: expected as many labels as points");
  }
  LabelCounts counts;
  counts.all = compare_labels(labels, truth);
  counts.left_out = labels.size() - counts.all.points();
  for (std::size_t k = 0; k < labels.size(); ++k) {
    if (truth[k] == kLeftOut) continue;
    if (const auto band = band_of(points[k])) {
      count(counts.by_distance[*band], labels[k] != 0, truth[k] != kNegative);
    }
  }
  return counts;
}

}  // namespace roadplane
