#include <gtest/gtest.h>

#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/scan_file.hpp"
#include "roadplane/pipeline/export_frames.hpp"
#include "support/data.hpp"
#include "support/input_error.hpp"
#include "support/street.hpp"
#include "support/temp_dir.hpp"

namespace roadplane::test {
namespace {

TEST(Export, FramesComeBackAsTheyWere) {
  const TempDir dir;
  const auto before = kitti::open_dataset(write_street(dir / "street", 1, true)).frames;
  const ExportResult result = export_frames(before, dir / "out", true);
  ASSERT_EQ(result.sequences.size(), 1U);
  EXPECT_TRUE(result.failed.empty());
  const auto after = kitti::open_dataset(dir / "out").frames;
  ASSERT_EQ(after.size(), 1U);
  const Scan scan = kitti::load_scan(before[0]);
  EXPECT_EQ(kitti::load_scan(after[0]), scan);
  EXPECT_EQ(after[0].contents(), "image, calibration, label");
  EXPECT_EQ(*kitti::load_labels(after[0], scan.size()),
            *kitti::load_labels(before[0], scan.size()));
  EXPECT_TRUE(kitti::load_projection(after[0])->matrix().isApprox(
      kitti::load_projection(before[0])->matrix(), 1e-9));
  EXPECT_EQ(kitti::read_scan(result.sequences[0] / "pcd" / "000000.pcd"), scan);
  expect_one_line([&] { export_frames(before, dir / "out", false); }, (dir / "out").string(),
                  "a folder with files");
}

TEST(Export, AFrameThatCannotBeReadIsNamedAndItsNumberLeftFree) {
  const TempDir dir;
  const auto frames = kitti::open_dataset(write_street(dir / "street", 3)).frames;
  std::filesystem::resize_file(frames[1].scan, 7);
  const ExportResult result = export_frames(frames, dir / "out", false);
  ASSERT_EQ(result.failed.size(), 1U);
  EXPECT_NE(result.failed[0].find("000001.bin"), std::string::npos);
  EXPECT_EQ(kitti::open_dataset(dir / "out").frames.at(1).number, 2);
}

TEST(Export, ARecordingBecomesTheSameClouds) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const auto bag = kitti.parent_path() / "recordings" / "luminar_lz4.bag";
  if (!std::filesystem::is_regular_file(bag)) GTEST_SKIP() << "no recordings/ in ROADPLANE_DATA";
  const TempDir dir;
  const auto before = kitti::open_dataset(bag).frames;
  export_frames(before, dir / "out", false);
  const auto after = kitti::open_dataset(dir / "out").frames;
  ASSERT_EQ(after.size(), before.size());
  EXPECT_EQ(kitti::load_scan(after[4]), kitti::load_scan(before[4]));
}

}  // namespace
}  // namespace roadplane::test
