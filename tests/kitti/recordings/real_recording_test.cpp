#include <gtest/gtest.h>

#include "recordings/samples.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "support/data.hpp"
#include "support/temp_dir.hpp"

namespace roadplane::test {
namespace {

#define ROADPLANE_RECORDINGS_OR_SKIP(folder)                                      \
  ROADPLANE_KITTI_OR_SKIP(kitti_folder);                                          \
  const std::filesystem::path folder = kitti_folder.parent_path() / "recordings"; \
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no recordings/ in ROADPLANE_DATA"

TEST(RealRecording, ALuminarIsTheSameInAllThreeContainers) {
  ROADPLANE_RECORDINGS_OR_SKIP(folder);
  const kitti::Dataset bag = kitti::open_dataset(folder / "luminar_lz4.bag");
  const kitti::Dataset database = kitti::open_dataset(folder / "luminar_0.db3");
  const kitti::Dataset mcap = kitti::open_dataset(folder / "luminar_zstd.mcap");
  ASSERT_EQ(bag.frames.size(), 5U);
  ASSERT_EQ(database.frames.size(), 5U);
  ASSERT_EQ(mcap.frames.size(), 5U);
  for (std::size_t k = 0; k < 5; ++k) {
    const Scan scan = kitti::load_scan(bag.frames[k]);
    EXPECT_GT(scan.size(), 35000U);
    EXPECT_EQ(scan, kitti::load_scan(database.frames[k]));
    EXPECT_EQ(scan, kitti::load_scan(mcap.frames[k]));
    EXPECT_EQ(bag.frames[k].stem(), database.frames[k].stem());
    EXPECT_EQ(bag.frames[k].stem(), mcap.frames[k].stem());
    EXPECT_EQ(bag.frames[k].recorded->frame_id, "luminar_lidar");
  }
}

TEST(RealRecording, WhatRos2ItselfHasWrittenIsRead) {
  ROADPLANE_RECORDINGS_OR_SKIP(folder);
  for (const char* name : {"test_bag_mcap.mcap", "test_bag_sqlite3.db3"}) {
    const kitti::Dataset dataset = kitti::open_dataset(folder / name);
    ASSERT_EQ(dataset.frames.size(), 2U);
    EXPECT_EQ(kitti::load_scan(dataset.frames[1]).size(), 3U) << name;
    EXPECT_TRUE(dataset.remarks.empty()) << dataset.remarks.front();
  }
}

TEST(RealRecording, ACloudWithUnalignedFieldsIsRead) {
  ROADPLANE_RECORDINGS_OR_SKIP(folder);
  const FileBytes message = read_file(folder / "pointcloud2_cdr_step26.bin");
  const TempDir dir;
  const auto path =
      write_bytes(dir / "wrapped.mcap",
                  sample_mcap({{}}, {{0, kFirstStampNs, {message.begin(), message.end()}}}));
  const kitti::Dataset dataset = kitti::open_dataset(path);
  ASSERT_EQ(dataset.frames.size(), 1U);
  EXPECT_EQ(dataset.frames[0].recorded->frame_id, "lidar_link");
  const Scan scan = kitti::load_scan(dataset.frames[0]);
  EXPECT_EQ(scan.size(), 64000U);
  const auto valid = std::count_if(scan.begin(), scan.end(), [](const Point& p) {
    const bool missing = p.x == 0 && p.y == 0 && p.z == 0;
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z) && !missing;
  });
  EXPECT_EQ(valid, 59422);
}

}  // namespace
}  // namespace roadplane::test
