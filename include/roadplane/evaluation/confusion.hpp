#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace roadplane {

/// How labels compare with the truth, point by point, of those that count. Ratios of nothing are 0.
struct Confusion {
  std::size_t true_positives = 0;
  std::size_t false_positives = 0;
  std::size_t false_negatives = 0;
  std::size_t true_negatives = 0;

  double precision() const;
  double recall() const;
  double f1() const;
  double iou() const;
  double accuracy() const;

  std::size_t points() const;  ///< that count
  Confusion& operator+=(const Confusion& other);
};

// A truth holds kPositive, kNegative or kLeftOut per point (see scoring.hpp); what is left out
// counts nowhere.

/// Labels hold 1 (road) or 0 per point; throws std::invalid_argument if they differ in length.
Confusion compare_labels(std::span<const std::uint8_t> labels, std::span<const std::uint8_t> truth);

/// Area under the ROC curve of "road if close to the plane": the probability that a road point is
/// closer than another one, whatever the residuals' signs. 0.5 if either kind is missing.
double area_under_curve(std::span<const float> residuals, std::span<const std::uint8_t> truth);

/// The largest F1 that any threshold on these residuals reaches.
double best_f1(std::span<const float> residuals, std::span<const std::uint8_t> truth);

}  // namespace roadplane
