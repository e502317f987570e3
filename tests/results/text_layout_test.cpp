#include "roadplane/results/text_layout.hpp"

#include <gtest/gtest.h>

namespace roadplane {
namespace {

const std::vector<std::vector<std::string>> kRows{
    {"sequence", "frames", "besides the scan"},
    {"00", "4", "calibration, image of 1 frame, label"}};
const std::vector<bool> kTexts{true, false, true};

TEST(TextLayout, LastCellsGoOnBelowWhereALineIsTooShort) {
  EXPECT_EQ(aligned_text(kRows, kTexts, TextLayout{44}),
            "sequence  frames  besides the scan\n"
            "00             4  calibration, image of 1\n"
            "                  frame, label\n");
  for (const std::size_t wide : {0, 54}) {
    EXPECT_EQ(aligned_text(kRows, kTexts, TextLayout{wide}),
              "sequence  frames  besides the scan\n"
              "00             4  calibration, image of 1 frame, label\n");
  }
}

TEST(TextLayout, NamesAreCutWhereThereIsNoRoomForThat) {
  EXPECT_EQ(aligned_text({{"frame", "points"}, {"a/very/long/name/of/a/frame", "5"}}, {true, false},
                         TextLayout{26}),
            "frame               points\n"
            "...name/of/a/frame       5\n");
}

}  // namespace
}  // namespace roadplane
