#include "roadplane/kitti/frame_selection.hpp"

#include <gtest/gtest.h>

#include "support/input_error.hpp"

namespace roadplane::kitti {
namespace {

using test::expect_one_line;

std::vector<Frame> frames_with_holes() {
  std::vector<Frame> frames;
  for (const int number : {0, 1, 2, 3, 4, 5, 45, 328}) {
    frames.push_back({.sequence = "a", .number = number, .scan = {}});
  }
  return frames;
}

std::vector<int> select(const char* text, const std::vector<Frame>& frames = frames_with_holes()) {
  std::vector<int> numbers;
  for (const Frame& frame : FrameSelection::parse(text).apply(frames)) {
    numbers.push_back(frame.number);
  }
  return numbers;
}

TEST(FrameSelection, RangesAreThoseOfPython) {
  EXPECT_EQ(select("0:3"), (std::vector{0, 1, 2}));
  EXPECT_EQ(select("0:100"), (std::vector{0, 1, 2, 3, 4, 5, 45}));
  EXPECT_EQ(select("1:100:2"), (std::vector{1, 3, 5, 45}));
  EXPECT_EQ(select("4:"), (std::vector{4, 5, 45, 328}));
  EXPECT_EQ(select(":2"), (std::vector{0, 1}));
  EXPECT_EQ(select("::2"), (std::vector{0, 2, 4, 328}));
}

TEST(FrameSelection, NumbersAndRangesMixInTheDatasetsOrder) {
  EXPECT_EQ(select("1,45,328"), (std::vector{1, 45, 328}));
  EXPECT_EQ(select("328, 1,0:3, 45"), (std::vector{0, 1, 2, 45, 328}));
  EXPECT_EQ(select("0001"), (std::vector{1}));
}

TEST(FrameSelection, TheSameNumberOfSeveralSequencesIsSeveralFrames) {
  std::vector<Frame> frames = frames_with_holes();
  frames.push_back({.sequence = "b", .number = 1, .scan = {}});
  EXPECT_EQ(select("1,45", frames), (std::vector{1, 45, 1}));
}

TEST(FrameSelection, UnknownNumbersAreNamed) {
  expect_one_line([] { select("1,7,45,9"); }, "frames: expected numbers of frames that exist",
                  "7, 9");
  expect_one_line([] { select("6:45"); }, "frames",
                  "6:45 but the dataset has 8 frames, numbers "
                  "0 to 328");
  expect_one_line([] { select("0", {}); }, "frames", "0");
}

TEST(FrameSelection, BadSyntaxIsNamed) {
  for (const char* text : {"", " ", ",", "1,", "a", "1-3", "-1", "3:1", "3:3", "0:9:0", "0:9:1:1",
                           "1.5", "99999999999", "2147483647", "0x10", "1 2"}) {
    expect_one_line([&] { FrameSelection::parse(text); }, "frames", "\"");
  }
}

}  // namespace
}  // namespace roadplane::kitti
