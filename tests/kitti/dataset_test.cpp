#include "roadplane/kitti/dataset.hpp"

#include <gtest/gtest.h>

#include "roadplane/kitti/scan_file.hpp"
#include "support/input_error.hpp"
#include "support/temp_dir.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;
using test::expect_one_line;
using test::input_error_of;
using test::TempDir;

const std::string kPoint(16, '\0');

std::vector<std::string> names_of(const Dataset& dataset) {
  std::vector<std::string> names;
  for (const Frame& frame : dataset.frames) names.push_back(frame.name());
  return names;
}

using Names = std::vector<std::string>;

TEST(Dataset, ARawDriveTakesItsCalibrationFromTheDateFolder) {
  const TempDir dir;
  const std::string drive = "2011_09_26/2011_09_26_drive_0005_sync";
  dir.write(drive + "/velodyne_points/data/0000000045.bin", kPoint);
  dir.write(drive + "/velodyne_points/data/0000000002.bin", kPoint);
  dir.write(drive + "/velodyne_points/timestamps.txt", "");
  dir.write(drive + "/image_02/data/0000000002.png", "");
  const Dataset bare = open_dataset(dir / drive);
  EXPECT_EQ(bare.layout, Layout::raw);
  EXPECT_EQ(bare.name, "2011_09_26_drive_0005_sync");
  ASSERT_EQ(bare.frames.size(), 2U);
  EXPECT_EQ(bare.frames[0].number, 2);
  EXPECT_EQ(bare.frames[0].contents(), "image");
  EXPECT_EQ(bare.frames[1].number, 45);
  EXPECT_EQ(bare.frames[1].contents(), "nothing");
  EXPECT_FALSE(load_projection(bare.frames[0]));
  dir.write("2011_09_26/calib_velo_to_cam.txt", "");
  EXPECT_FALSE(open_dataset(dir / drive).frames[0].calibration);  // half of it is none
  dir.write("2011_09_26/calib_cam_to_cam.txt", "");
  EXPECT_EQ(open_dataset(dir / drive / "").frames[0].contents(), "image, calibration");
}

TEST(Dataset, FramesOfSeveralDrivesKeepTheirDrive) {
  const TempDir dir;
  const std::string first = "2011_09_26/2011_09_26_drive_0005_sync";
  const std::string second = "2011_09_26/2011_09_26_drive_0048_sync";
  const std::string other_day = "2011_09_29/2011_09_29_drive_0005_sync";
  for (const std::string& drive : {first, second, other_day}) {
    dir.write(drive + "/velodyne_points/data/0000000000.bin", kPoint);
  }
  EXPECT_EQ(
      names_of(open_dataset(dir / "2011_09_26")),
      (Names{"2011_09_26_drive_0005_sync/0000000000", "2011_09_26_drive_0048_sync/0000000000"}));
  EXPECT_EQ(open_dataset(dir.path()).frames.size(), 3U);
  for (const char* word : {"48", "0048", "2011_09_26_drive_0048_sync"}) {
    EXPECT_EQ(names_of(open_dataset(dir / "2011_09_26", word)),
              Names{"2011_09_26_drive_0048_sync/0000000000"});
  }
  expect_one_line([&] { open_dataset(dir / "2011_09_26", "7"); }, (dir / "2011_09_26").string(),
                  "\"7\"");
}

TEST(Dataset, AnOdometryRootGivesOneOrAllSequences) {
  const TempDir dir;
  dir.write("sequences/00/velodyne/000000.bin", kPoint);
  dir.write("sequences/00/labels/000000.label", "");
  dir.write("sequences/04/velodyne/000010.bin", kPoint);
  dir.write("sequences/04/velodyne/000009.bin", kPoint);
  dir.write("sequences/04/image_2/000010.png", "");
  dir.write("sequences/04/calib.txt", "");
  dir.write("sequences/04/planes.json", "");
  dir.write("sequences/05/readme.txt", "");
  const Dataset one = open_dataset(dir.path(), "4");
  EXPECT_EQ(one.layout, Layout::odometry);
  EXPECT_EQ(names_of(one), (Names{"04/000009", "04/000010"}));
  EXPECT_EQ(one.frames[0].contents(), "calibration, plane file");
  EXPECT_EQ(one.frames[1].contents(), "image, calibration, plane file");
  const Names all{"00/000000", "04/000009", "04/000010"};
  EXPECT_EQ(names_of(open_dataset(dir.path())), all);
  EXPECT_EQ(names_of(open_dataset(dir / "sequences")), all);
  EXPECT_EQ(names_of(open_dataset(dir / "sequences/00")), Names{"00/000000"});
  EXPECT_EQ(open_dataset(dir / "sequences/00").frames[0].contents(), "label");
  EXPECT_EQ(names_of(open_dataset(dir / "sequences/04/velodyne")),
            (Names{"04/000009", "04/000010"}));
  const std::string message = input_error_of([&] { open_dataset(dir.path(), "07"); });
  EXPECT_NE(message.find("one of the sequences 00, 04, found \"07\""), std::string::npos)
      << message;
}

TEST(Dataset, AnObjectSplitHasACalibrationPerFrame) {
  const TempDir dir;
  for (const char* stem : {"000000", "000001"}) {
    dir.write(std::string("training/velodyne/") + stem + ".bin", kPoint);
  }
  dir.write("training/calib/000001.txt", "");
  dir.write("training/image_2/000001.png", "");
  const Dataset split = open_dataset(dir / "training");
  EXPECT_EQ(split.layout, Layout::object);
  ASSERT_EQ(split.frames.size(), 2U);
  EXPECT_EQ(split.frames[0].contents(), "nothing");
  EXPECT_EQ(split.frames[1].contents(), "image, calibration");
  EXPECT_EQ(split.frames[1].calibration->path, dir / "training/calib/000001.txt");
  EXPECT_EQ(names_of(open_dataset(dir.path(), "training")), names_of(split));
}

TEST(Dataset, TheRoadBenchmarkHasATruthForEachPictureInFoldersOrInOne) {
  const TempDir dir;
  dir.write("training/velodyne/um_000000.bin", kPoint);
  dir.write("training/velodyne/uu_000000.bin", kPoint);
  dir.write("training/calib/um_000000.txt", "Tr_velo_to_cam: 1");
  dir.write("training/image_2/um_000000.png", "");
  dir.write("training/gt_image_2/um_road_000000.png", "");
  dir.write("training/gt_image_2/um_lane_000000.png", "");
  dir.write("flat/umm_000081.bin", kPoint);
  dir.write("flat/umm_000081.png", "");
  dir.write("flat/umm_000081.txt", "Tr_velo_to_cam: 1");
  dir.write("flat/umm_road_000081.png", "");
  const Dataset split = open_dataset(dir / "training");
  EXPECT_EQ(split.layout, Layout::road);
  EXPECT_EQ(names_of(split), (Names{"training/um_000000", "training/uu_000000"}));
  EXPECT_EQ(split.frames[0].contents(), "image, calibration, road picture");
  EXPECT_EQ(split.frames[0].road_picture, dir / "training/gt_image_2/um_road_000000.png");
  EXPECT_EQ(split.frames[1].contents(), "nothing");
  EXPECT_EQ(open_dataset(dir / "flat").layout, Layout::road);
  const Dataset single = open_dataset(dir / "flat/umm_000081.bin");
  EXPECT_EQ(single.frames[0].contents(), "image, calibration, road picture");
  EXPECT_EQ(single.frames[0].calibration->layout, CalibrationSource::Layout::object);
}

TEST(Dataset, AnnotationsFindPictureAndCalibration) {
  const TempDir dir;
  dir.write("dpcp/09_29_071/29_071_0328_data.mat", "");
  dir.write("dpcp/09_29_071/29_071_0221_data.mat", "");
  dir.write("dpcp/09_29_071/29_071_0221.png", "");
  const Dataset dataset = open_dataset(dir / "dpcp/09_29_071");
  EXPECT_EQ(dataset.layout, Layout::annotations);
  ASSERT_EQ(dataset.frames.size(), 2U);
  EXPECT_EQ(dataset.frames[0].number, 221);
  EXPECT_EQ(dataset.frames[0].contents(), "image, annotation");
  EXPECT_EQ(dataset.frames[1].number, 328);
  EXPECT_EQ(dataset.frames[1].contents(), "annotation");
  dir.write("raw/2011_09_29/calib_velo_to_cam.txt", "");
  dir.write("raw/2011_09_29/calib_cam_to_cam.txt", "");
  const Dataset calibrated = open_dataset(dir / "dpcp");
  ASSERT_TRUE(calibrated.frames[0].calibration);
  EXPECT_EQ(calibrated.frames[0].calibration->path, dir / "raw/2011_09_29");
  EXPECT_EQ(open_dataset(dir / "dpcp/09_29_071/29_071_0328_data.mat").frames[0].number, 328);
}

TEST(Dataset, APlainFolderTakesWhatLiesBesideTheScans) {
  const TempDir dir;
  dir.write("scan_10.bin", kPoint);
  dir.write("scan_9.PCD", "");
  dir.write("scan_9.png", "");
  dir.write("scan_10.ply", "");
  dir.write("notes.txt", "");
  const Dataset dataset = open_dataset(dir.path());
  EXPECT_EQ(dataset.layout, Layout::scans);
  ASSERT_EQ(dataset.frames.size(), 2U);
  EXPECT_EQ(dataset.frames[0].number, 9);
  EXPECT_EQ(dataset.frames[0].contents(), "image");
  EXPECT_EQ(dataset.frames[1].scan, dir / "scan_10.bin");  // the .ply is the same frame
  EXPECT_EQ(open_dataset(dir / "scan_10.ply").frames[0].scan, dir / "scan_10.ply");
}

TEST(Dataset, ScansWithoutOrWithEqualNumbersAreCounted) {
  const TempDir dir;
  dir.write("a/left.bin", kPoint);
  dir.write("a/right_7.bin", kPoint);
  dir.write("b/x_1.bin", kPoint);
  dir.write("b/y_1.bin", kPoint);
  dir.write("c/99999999999999999999.bin", kPoint);
  for (const char* folder : {"a", "b"}) {
    const Dataset dataset = open_dataset(dir / folder);
    EXPECT_EQ(dataset.frames[0].number, 0);
    EXPECT_EQ(dataset.frames[1].number, 1);
  }
  EXPECT_EQ(open_dataset(dir / "c").frames[0].number, 0);
}

TEST(Dataset, ASingleScanFindsTheRestOfItsFrame) {
  const TempDir dir;
  dir.write("sequences/04/velodyne/000009.bin", kPoint);
  dir.write("sequences/04/velodyne/000010.bin", kPoint);
  dir.write("sequences/04/labels/000010.label", "");
  dir.write("sequences/04/calib.txt", "");
  dir.write("stray.bin", kPoint);
  const Dataset inside = open_dataset(dir / "sequences/04/velodyne/000010.bin");
  EXPECT_EQ(inside.layout, Layout::single_scan);
  ASSERT_EQ(inside.frames.size(), 1U);
  EXPECT_EQ(inside.frames[0].name(), "04/000010");
  EXPECT_EQ(inside.frames[0].contents(), "calibration, label");
  const Dataset stray = open_dataset(dir / "stray.bin");
  ASSERT_EQ(stray.frames.size(), 1U);
  EXPECT_EQ(stray.frames[0].contents(), "nothing");
  EXPECT_EQ(load_scan(stray.frames[0]).size(), 1U);
}

TEST(Dataset, WhatDoesNotFitIsExplainedWithTheKnownLayouts) {
  const TempDir dir;
  dir.write("holiday/photo.jpg", "");
  dir.write("holiday/video.avi", "");
  fs::create_directory(dir / "empty");
  const auto check = [](const fs::path& path, const char* found) {
    const std::string message = input_error_of([&] { open_dataset(path); });
    EXPECT_TRUE(message.starts_with(path.string() +
                                    ": expected a data set, a recording or a scan, " + "found " +
                                    found + "; known layouts: "))
        << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
    for (const char* layout : {"raw (", "odometry (", "object (", "annotations (", "nuScenes (",
                               "scans (", "recordings ("}) {
      EXPECT_NE(message.find(layout), std::string::npos) << message;
    }
  };
  check(dir / "holiday", "a folder of photo.jpg, video.avi");
  check(dir / "empty", "an empty folder");
  expect_one_line([&] { open_dataset(dir / "holiday/photo.jpg"); },
                  (dir / "holiday/photo.jpg").string(),
                  "a picture (unsupported; try the scan, or the folder of scans and pictures)");
  expect_one_line([&] { open_dataset(dir / "none"); }, (dir / "none").string(),
                  "no such file or folder");
  fs::create_directories(dir / "hollow/velodyne");
  expect_one_line([&] { open_dataset(dir / "hollow"); }, (dir / "hollow").string(), "none in");
  expect_one_line([&] { open_dataset("/dev/null"); }, "/dev/null", "neither a file nor a folder");
}

}  // namespace
}  // namespace roadplane::kitti
