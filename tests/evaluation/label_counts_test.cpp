#include "roadplane/evaluation/label_counts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "roadplane/evaluation/scoring.hpp"

namespace roadplane {
namespace {

using Mask = std::vector<std::uint8_t>;

TEST(LabelCounts, GoByDistanceFromTheSensor) {
  const Scan points{{6, 0, 8, 0},     // 10 m: the second band begins
                    {9.9F, 0, 0, 0},  // just inside the first
                    {0, -19, 0, 0},  {0, 0, 20, 0},  {24, 32, 0, 0},  // 40 m
                    {0, 0, 0, 0},    {NAN, 0, 0, 0}, {INFINITY, 0, 0, 0}, {1000, 0, 0, 0}};
  const Mask labels{1, 1, 0, 1, 0, 1, 0, 1, 1};
  const Mask truth{kPositive, kNegative, kPositive, kNegative, kNegative,
                   kNegative, kNegative, kPositive, kLeftOut};
  const LabelCounts counts = count_labels(points, labels, truth);
  EXPECT_EQ(counts.all.points(), 8U);
  EXPECT_EQ(counts.left_out, 1U);
  EXPECT_EQ(counts.by_distance[0].points(), 1U);
  EXPECT_EQ(counts.by_distance[0].false_positives, 1U);
  EXPECT_EQ(counts.by_distance[1].points(), 2U);
  EXPECT_EQ(counts.by_distance[1].true_positives, 1U);
  EXPECT_EQ(counts.by_distance[1].false_negatives, 1U);
  EXPECT_EQ(counts.by_distance[2].points(), 1U);
  EXPECT_EQ(counts.by_distance[3].points(), 1U);
  EXPECT_EQ(counts.by_distance[3].true_negatives, 1U);
  LabelCounts twice = counts;
  twice += counts;
  EXPECT_EQ(twice.all.true_positives, 2 * counts.all.true_positives);
  EXPECT_EQ(twice.by_distance[1].true_positives, 2U);
  EXPECT_EQ(twice.left_out, 2U);
  EXPECT_DOUBLE_EQ(twice.all.f1(), counts.all.f1());
  EXPECT_THROW(count_labels(points, Mask{1}, Mask{1}), std::invalid_argument);
}

}  // namespace
}  // namespace roadplane
