#include "roadplane/compare/band.hpp"

#include <gtest/gtest.h>

namespace roadplane {
namespace {

TEST(Band, IsTheMedianWithTenToNinetyPercent) {
  std::vector<Series> runs;
  for (int k = 0; k <= 10; ++k) runs.push_back({{1, 2}, {k + 0.0, 10.0 * k}});
  const viz::Curve curve = band_of("eleven", runs);
  EXPECT_EQ(curve.x, (std::vector<double>{1, 2}));
  EXPECT_EQ(curve.y, (std::vector<double>{5, 50}));
  EXPECT_EQ(curve.low, (std::vector<double>{1, 10}));
  EXPECT_EQ(curve.high, (std::vector<double>{9, 90}));
}

TEST(Band, ARunHoldsItsLastValueAndOneRunHasNoBand) {
  const std::vector<Series> runs{{{1, 2, 4, 8}, {4, 3, 2, 1}}, {{1, 3}, {8, 6}}};
  const viz::Curve both = band_of("two", runs);
  ASSERT_EQ(both.y.size(), 4U);
  EXPECT_EQ(both.y[0], 6);
  EXPECT_NEAR(both.y[1], (3 + std::sqrt(48)) / 2, 1e-12);  // half way from 8 to 6, in logarithms
  EXPECT_EQ(both.y[2], 4);
  EXPECT_EQ(both.y[3], 3.5);
  const viz::Curve one = band_of("one", std::span(runs).first(1));
  EXPECT_EQ(one.y, runs[0].y);
  EXPECT_TRUE(one.low.empty());
}

}  // namespace
}  // namespace roadplane
