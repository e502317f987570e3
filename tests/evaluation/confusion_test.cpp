#include "roadplane/evaluation/confusion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "roadplane/base/counter_random.hpp"

namespace roadplane {
namespace {

using Mask = std::vector<std::uint8_t>;

TEST(Confusion, CountsAndRatios) {
  const Mask labels{1, 1, 1, 0, 0, 0, 0};
  const Mask truth{1, 1, 0, 1, 0, 0, 0};
  const Confusion c = compare_labels(labels, truth);
  EXPECT_EQ(c.true_positives, 2U);
  EXPECT_EQ(c.false_positives, 1U);
  EXPECT_EQ(c.false_negatives, 1U);
  EXPECT_EQ(c.true_negatives, 3U);
  EXPECT_DOUBLE_EQ(c.precision(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(c.recall(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(c.f1(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(c.iou(), 0.5);
  EXPECT_DOUBLE_EQ(c.accuracy(), 5.0 / 7);
  EXPECT_EQ(c.points(), 7U);
}

TEST(Confusion, SumsOfCountsAreThoseOfAllPoints) {
  const Mask labels{1, 1, 1, 0, 0, 0, 0};
  const Mask truth{1, 1, 0, 1, 0, 0, 0};
  const std::span all_labels(labels);
  const std::span all_truth(truth);
  Confusion sum = compare_labels(all_labels.first(3), all_truth.first(3));
  sum += compare_labels(all_labels.subspan(3), all_truth.subspan(3));
  const Confusion c = compare_labels(labels, truth);
  EXPECT_EQ(sum.true_positives, c.true_positives);
  EXPECT_EQ(sum.false_positives, c.false_positives);
  EXPECT_EQ(sum.false_negatives, c.false_negatives);
  EXPECT_EQ(sum.true_negatives, c.true_negatives);
}

TEST(Confusion, EmptyIsZeroNotNaN) {
  const Confusion c = compare_labels({}, {});
  EXPECT_EQ(c.f1(), 0);
  EXPECT_EQ(c.precision(), 0);
  EXPECT_EQ(c.accuracy(), 0);
  EXPECT_THROW(compare_labels(Mask{1}, Mask{}), std::invalid_argument);
}

TEST(AreaUnderCurve, MatchesCountingPairs) {
  CounterRandom random(2, RandomUse::user);
  std::vector<float> residuals;
  Mask truth;
  for (int k = 0; k < 400; ++k) {
    truth.push_back(k % 3 == 0);
    residuals.push_back(static_cast<float>(random.uniform() * (truth.back() ? 0.5 : 1.0)) *
                        (k % 2 == 0 ? 1.0F : -1.0F));
  }
  residuals[7] = INFINITY;
  double ordered = 0;
  double pairs = 0;
  double best = 0;
  for (int a = 0; a < 400; ++a) {
    Mask labels(400);
    for (int b = 0; b < 400; ++b) {
      labels[b] = std::abs(residuals[b]) <= std::abs(residuals[a]);
      if (!truth[a] || truth[b]) continue;
      pairs += 1;
      ordered += std::abs(residuals[a]) < std::abs(residuals[b]) ? 1 : 0;
    }
    best = std::max(best, compare_labels(labels, truth).f1());
  }
  EXPECT_NEAR(area_under_curve(residuals, truth), ordered / pairs, 2e-3);
  EXPECT_NEAR(best_f1(residuals, truth), best, 1e-2);
  EXPECT_LE(best_f1(residuals, truth), best + 1e-12);
}

TEST(AreaUnderCurve, PerfectReversedAndUndecided) {
  const std::vector<float> residuals{0.1F, 0.2F, 0.3F, 0.4F};
  EXPECT_DOUBLE_EQ(area_under_curve(residuals, Mask{1, 1, 0, 0}), 1);
  EXPECT_DOUBLE_EQ(area_under_curve(residuals, Mask{0, 0, 1, 1}), 0);
  EXPECT_DOUBLE_EQ(area_under_curve(residuals, Mask{1, 1, 1, 1}), 0.5);
  const std::vector<float> tied{0.2F, 0.2F, 0.2F, 0.4F};
  EXPECT_DOUBLE_EQ(area_under_curve(tied, Mask{1, 0, 0, 0}), 2.0 / 3);  // two ties and one pair won
}

}  // namespace
}  // namespace roadplane
