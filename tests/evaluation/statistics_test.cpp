#include "roadplane/evaluation/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace roadplane {
namespace {

TEST(Statistics, KnownNumbers) {
  const Spread odd = spread_of({4, 1, 10}).value();
  EXPECT_EQ(odd.count, 3U);
  EXPECT_EQ(odd.median, 4);
  EXPECT_EQ(odd.mean, 5);
  EXPECT_DOUBLE_EQ(odd.deviation, std::sqrt(21));
  EXPECT_EQ(odd.least, 1);
  EXPECT_EQ(odd.most, 10);
  EXPECT_EQ(spread_of({8, 2, 4, 6})->median, 5);
}

TEST(Statistics, OneNumberAndNone) {
  EXPECT_FALSE(spread_of({}));
  const Spread one = spread_of({7}).value();
  EXPECT_EQ(one.median, 7);
  EXPECT_EQ(one.deviation, 0);
}

}  // namespace
}  // namespace roadplane
