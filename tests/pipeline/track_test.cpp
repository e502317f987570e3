// Frames whose planes are tracked: the same bytes whoever does them and whenever.

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>

#include "roadplane/kitti/dataset.hpp"
#include "roadplane/pipeline/frame_track.hpp"
#include "roadplane/pipeline/segment_sequence.hpp"
#include "support/program.hpp"
#include "support/street.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;

SegmentConfig tracked() {
  SegmentConfig config;
  config.agents = 4;
  config.save = "label";
  config.track = true;
  return config;
}

/// A drive of few different scans, there and back again, in frames of these numbers.
fs::path write_drive(const fs::path& folder, const std::vector<int>& numbers) {
  constexpr int kScans = 4;
  const fs::path street = test::write_street(folder, kScans) / "velodyne";
  std::vector<fs::path> scans;
  for (int k = 0; k < kScans; ++k) {
    scans.push_back(street / ("scan" + std::to_string(k)));
    fs::rename(street / ("00000" + std::to_string(k) + ".bin"), scans.back());
  }
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const int turn = static_cast<int>(k) % (2 * kScans - 2);
    std::string stem = std::to_string(numbers[k]);
    stem.insert(0, 6 - stem.size(), '0');
    fs::copy_file(scans[static_cast<std::size_t>(std::min(turn, 2 * kScans - 2 - turn))],
                  street / (stem + ".bin"));
  }
  for (const fs::path& scan : scans) fs::remove(scan);
  return street.parent_path();
}

std::vector<int> numbers_up_to(int end) {
  std::vector<int> numbers;
  for (int k = 0; k < end; ++k) numbers.push_back(k);
  return numbers;
}

using Frames = std::vector<kitti::Frame>;

std::vector<FrameRecord> segment(const Frames& frames, const fs::path& folder, int jobs,
                                 std::size_t stop_after = 1000) {
  const std::vector<RunInput> none;
  RunFolder run = RunFolder::resume(folder, to_json(tracked()), none);
  std::atomic<bool> stop = false;
  std::size_t done = 0;
  auto records = segment_sequence(
      frames, SegmentPlan(tracked()), run, jobs,
      [&](const FrameRecord&) { stop = stop || ++done >= stop_after; }, stop);
  if (records.size() == frames.size()) run.write_summary(records);
  return records;
}

std::vector<std::string> began(const std::vector<FrameRecord>& records) {
  std::vector<std::string> words;
  for (const FrameRecord& record : records) words.push_back(record.began);
  return words;
}

TEST(Track, NeitherJobsNorAnEarlyEndChangeAByte) {
  const test::TempDir folder;
  const Frames frames =
      kitti::open_dataset(write_drive(folder / "drive", numbers_up_to(70))).frames;
  const auto records = segment(frames, folder / "whole", 1);
  ASSERT_EQ(records.size(), 70U);
  for (std::size_t k = 0; k < records.size(); ++k) {
    EXPECT_EQ(records[k].began, k % 64 == 0 ? "found" : "tracked") << k;
  }
  const auto whole = test::contents(folder / "whole");
  segment(frames, folder / "jobs", 2);
  EXPECT_EQ(test::contents(folder / "jobs"), whole);

  EXPECT_LT(segment(frames, folder / "resumed", 1, 5).size(), 70U);
  fs::remove(folder / "resumed/sequences/00/predictions/000002.label");
  EXPECT_EQ(segment(frames, folder / "resumed", 2).size(), 70U);
  EXPECT_EQ(test::contents(folder / "resumed"), whole);
}

TEST(Track, WhatFollowsAFrameThatIsDoneAgainIsDoneAgainToTheEndOfItsChunk) {
  const test::TempDir folder;
  const Frames frames =
      kitti::open_dataset(write_drive(folder / "drive", numbers_up_to(66))).frames;
  segment(frames, folder / "run", 2);
  fs::remove(folder / "run/sequences/00/predictions/000060.label");
  const RunFolder run = RunFolder::open(folder / "run");
  const auto done = frames_done(frames, SegmentPlan(tracked()), run, Again::nothing);
  for (std::size_t k = 0; k < done.size(); ++k) EXPECT_EQ(done[k], k < 60 || k >= 64) << k;
  const auto chains = chains_of(frames, done, true);
  ASSERT_EQ(chains.size(), 1U);
  EXPECT_EQ(chains[0].before.size(), 60U);
  EXPECT_EQ(chains[0].to_do.size(), 4U);
}

TEST(Track, AGapAndAnotherSequenceAreFreshStarts) {
  const test::TempDir folder;
  const fs::path drive = write_drive(folder / "drive", {0, 1, 2, 4, 40, 41});
  const fs::path other = drive.parent_path() / "01/velodyne";
  fs::create_directories(other);
  for (const char* name : {"000042.bin", "000043.bin"}) {
    fs::copy_file(drive / "velodyne/000002.bin", other / name);
  }
  const Frames frames = kitti::open_dataset(folder / "drive").frames;
  ASSERT_EQ(frames.size(), 8U);
  const std::vector<std::string> expected{"found", "tracked", "tracked", "tracked",
                                          "found", "tracked", "found",   "tracked"};
  EXPECT_EQ(began(segment(frames, folder / "run", 1)), expected);
}

TEST(Track, GoesOnAfterABadFrame) {
  const test::TempDir folder;
  const fs::path drive = write_drive(folder / "drive", numbers_up_to(5));
  fs::resize_file(drive / "velodyne/000002.bin", 16 * 100 + 7);
  fs::resize_file(drive / "velodyne/000003.bin", 16 * 2);  // too few for a plane
  const auto records = segment(kitti::open_dataset(drive).frames, folder / "run", 1);
  ASSERT_EQ(records.size(), 5U);
  EXPECT_EQ(records[1].began, "tracked");
  EXPECT_EQ(records[2].status, FrameStatus::failed);
  EXPECT_EQ(records[3].status, FrameStatus::failed);
  EXPECT_EQ(records[4].status, FrameStatus::ok) << records[4].note;
}

/// The same scan twice; poses say that the sensor has turned over in between.
TEST(Track, PosesMoveThePlane) {
  const test::TempDir folder;
  const fs::path drive = write_drive(folder / "drive", {0, 6});
  const std::string level = "1 0 0 0 0 1 0 0 0 0 1 0\n";
  const std::string upside_down = "1 0 0 0 0 -1 0 0 0 0 -1 0\n";
  const auto with_poses = [&](const std::string& second) {
    std::ofstream poses(drive / "poses.txt");
    for (int k = 0; k < 6; ++k) poses << level;
    poses << second;
    poses.close();
    const test::TempDir run;
    return segment(kitti::open_dataset(drive).frames, run / "run", 1).at(1);
  };
  EXPECT_EQ(with_poses(level).began, "tracked");
  EXPECT_EQ(with_poses(upside_down).began, "found");
  const FrameRecord bad = with_poses("1 0 0 0 0 nan 0 0 0 0 1 0\n");
  EXPECT_EQ(bad.began, "tracked");
  EXPECT_EQ(bad.status, FrameStatus::incomplete);
  EXPECT_TRUE(test::has(bad.error, "poses.txt, line 7: expected 12 finite numbers")) << bad.error;
}

TEST(Track, ThePapersObjectiveIsRefused) {
  SegmentConfig config = tracked();
  config.objective = "l3";
  EXPECT_THROW(SegmentPlan{config}, InputError);
}

}  // namespace
}  // namespace roadplane
