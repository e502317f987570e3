#include "roadplane/base/nearest_word.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace roadplane {
namespace {

TEST(NearestWord, IsASlipOfTheHand) {
  const std::vector<std::string_view> known{"segment", "compare", "info", "--agents", "road"};
  EXPECT_EQ(nearest_word("segmnet", known), "segment");
  EXPECT_EQ(nearest_word("compair", known), "compare");
  EXPECT_EQ(nearest_word("--agent", known), "--agents");
  EXPECT_EQ(nearest_word("raod", known), "road");
  EXPECT_EQ(nearest_word("fly", known), "");
  EXPECT_EQ(nearest_word("", known), "");
  EXPECT_EQ(nearest_word("rd", known), "") << "half of the letters";
}

}  // namespace
}  // namespace roadplane
