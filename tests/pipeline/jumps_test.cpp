#include "roadplane/pipeline/jumps.hpp"

#include <gtest/gtest.h>

namespace roadplane {
namespace {

std::vector<FrameRecord> at_heights(const std::vector<double>& heights_m) {
  std::vector<FrameRecord> records;
  for (const double height_m : heights_m) {
    FrameRecord record;
    record.sequence = "04";
    record.frame = static_cast<int>(records.size());
    record.plane = {Eigen::Vector3d::UnitZ(), height_m};
    records.push_back(record);
  }
  return records;
}

std::vector<std::size_t> noted(const std::vector<FrameRecord>& records) {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < records.size(); ++k) {
    if (records[k].note.find("jumps") != std::string::npos) found.push_back(k);
  }
  return found;
}

TEST(Jumps, APlaneThatIsLikeNeitherNeighbourIsNoted) {
  EXPECT_EQ(noted(with_jumps_noted(at_heights({1.7, 1.72, 2.1, 1.71, 1.7}))),
            std::vector<std::size_t>{2});
}

TEST(Jumps, AStepThatStaysIsTheRoadsOwn) {
  EXPECT_TRUE(noted(with_jumps_noted(at_heights({1.7, 1.7, 2.1, 2.1, 2.1}))).empty());
}

TEST(Jumps, OtherSequencesGapsAndFailedFramesAreNoNeighbours) {
  auto other = at_heights({1.7, 2.1, 1.7});
  other[2].sequence = "05";
  EXPECT_TRUE(noted(with_jumps_noted(other)).empty());
  auto gap = at_heights({1.7, 2.1, 1.7});
  gap[2].frame = 50;
  EXPECT_TRUE(noted(with_jumps_noted(gap)).empty());
  auto failed = at_heights({1.7, 2.1, 1.7});
  failed[0].status = FrameStatus::failed;
  EXPECT_TRUE(noted(with_jumps_noted(failed)).empty());
}

TEST(Jumps, ANormalThatTurnsIsNotedBehindWhatIsThere) {
  auto records = at_heights({1.7, 1.7, 1.7});
  records[1].plane.normal = Eigen::Vector3d(0.1, 0, 1).normalized();
  records[1].note = "something else";
  EXPECT_EQ(with_jumps_noted(records)[1].note,
            "something else; the plane jumps against the frames before and after");
}

}  // namespace
}  // namespace roadplane
