#include "roadplane/evaluation/max_f.hpp"

#include <gtest/gtest.h>

namespace roadplane {
namespace {

/// `count` cells of one kind and value.
void add(ThresholdCounts& counts, int count, bool is_road, std::uint8_t value) {
  for (int k = 0; k < count; ++k) counts.add(is_road, value);
}

TEST(MaxF, IsTheF1OfLabels) {
  ThresholdCounts counts;
  add(counts, 8, true, 255);
  add(counts, 2, true, 0);
  add(counts, 4, false, 255);
  add(counts, 36, false, 0);
  const MaxF found = max_f(counts);
  EXPECT_DOUBLE_EQ(found.precision, 8.0 / 12);
  EXPECT_DOUBLE_EQ(found.recall, 0.8);
  EXPECT_DOUBLE_EQ(found.max_f, 16.0 / 22);
  EXPECT_DOUBLE_EQ(found.false_positive_rate, 0.1);
  EXPECT_EQ(counts.cells(), 50U);
}

TEST(MaxF, TakesTheBestThreshold) {
  ThresholdCounts counts;
  add(counts, 5, true, 200);
  add(counts, 5, true, 100);
  add(counts, 1, false, 150);
  add(counts, 9, false, 50);
  const MaxF found = max_f(counts);
  EXPECT_EQ(found.threshold, 100);
  EXPECT_DOUBLE_EQ(found.recall, 1);
  EXPECT_DOUBLE_EQ(found.precision, 10.0 / 11);
  // Recalls of 0 to 0.5 have a precision of 1 (above 150), those of 0.6 to 1 of 10/11.
  EXPECT_NEAR(found.average_precision, (6 + 5 * 10.0 / 11) / 11, 1e-12);
}

TEST(MaxF, WhereAllIsRoadToBeSafeIsWhatCallingEverythingRoadGives) {
  ThresholdCounts counts;
  add(counts, 30, true, 0);
  add(counts, 10, false, 0);
  EXPECT_DOUBLE_EQ(max_f(counts).max_f, 60.0 / 70);
  EXPECT_EQ(max_f(counts).threshold, 0);
}

TEST(MaxF, OfNothingIsZero) {
  EXPECT_EQ(max_f({}).max_f, 0);
  EXPECT_EQ(max_f({}).average_precision, 0);
}

TEST(MaxF, CountsAddUp) {
  ThresholdCounts sum, one;
  add(one, 3, true, 255);
  add(one, 1, false, 255);
  sum += one;
  sum += one;
  EXPECT_EQ(sum.cells(), 8U);
  EXPECT_DOUBLE_EQ(max_f(sum).precision, 0.75);
}

}  // namespace
}  // namespace roadplane
