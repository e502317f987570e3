#include "roadplane/evaluation/class_set.hpp"

#include <gtest/gtest.h>

#include "support/input_error.hpp"

namespace roadplane {
namespace {

using test::expect_one_line;

TEST(ClassSet, NamedSetsAndListsUseTheLow16Bits) {
  const std::vector<std::uint32_t> labels{40, 44, 48, 49, 60, 72, 50, 0, 0x00070028, 40U << 16U};
  using Mask = std::vector<std::uint8_t>;
  EXPECT_EQ(ClassSet::road().mask(labels), (Mask{1, 1, 0, 0, 1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(ClassSet::parse("ground").mask(labels), (Mask{1, 1, 1, 1, 1, 1, 0, 0, 1, 0}));
  EXPECT_EQ(ClassSet::parse("72,50").mask(labels), (Mask{0, 0, 0, 0, 0, 1, 1, 0, 0, 0}));
  EXPECT_EQ(ClassSet::parse("72,50").name(), "72,50");
  EXPECT_EQ(ClassSet::parse("72,50").numbers(), "50, 72");
  EXPECT_EQ(ClassSet::ground().numbers(), "40, 44, 48, 49, 60, 72");
}

TEST(ClassSet, BadListsAreExplained) {
  for (const char* text :
       {"", "roads", "40,", ",40", "40,,44", "40 44", "-1", "65536", "+40", "4.5"}) {
    expect_one_line([&] { ClassSet::parse(text); }, "classes", "\"");
  }
}

}  // namespace
}  // namespace roadplane
