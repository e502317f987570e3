#include <gtest/gtest.h>

#include <map>

#include "roadplane/kitti/cloud_file.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/ground_truth.hpp"
#include "support/data.hpp"
#include "support/input_error.hpp"
#include "support/temp_dir.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;

std::vector<int> numbers_of(const Dataset& dataset) {
  std::vector<int> numbers;
  for (const Frame& frame : dataset.frames) numbers.push_back(frame.number);
  return numbers;
}

void expect_points(const Frame& frame, std::size_t points) {
  EXPECT_EQ(load_scan(frame).size(), points) << frame.name();
}

TEST(RealData, RawDrivesOpen) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const auto date = kitti / "raw/2011_09_26";
  const Dataset drive5 = open_dataset(date / "2011_09_26_drive_0005_sync");
  EXPECT_EQ(numbers_of(drive5), (std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 45}));
  for (const Frame& frame : drive5.frames) {
    EXPECT_EQ(frame.contents(), "image, calibration");
    expect_points(frame, std::filesystem::file_size(frame.scan) / 16);
  }
  expect_points(drive5.frames[1], 123683);
  const Dataset drive48 = open_dataset(date / "2011_09_26_drive_0048_sync");
  EXPECT_EQ(numbers_of(drive48), (std::vector{0, 1, 2}));
  expect_points(drive48.frames[0], 119977);
  EXPECT_EQ(open_dataset(date).frames.size(), 14U);
  EXPECT_EQ(open_dataset(kitti / "raw").frames.size(), 14U);
  EXPECT_EQ(open_dataset(date, "48").frames.size(), 3U);
}

TEST(RealData, OdometrySequencesOpen) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const auto root = kitti / "odometry";
  const Dataset seq04 = open_dataset(root, "4");
  EXPECT_EQ(numbers_of(seq04), (std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 56}));
  for (int k = 0; k < 10; ++k) EXPECT_EQ(seq04.frames[k].contents(), "image, calibration");
  EXPECT_EQ(seq04.frames[10].contents(), "calibration, label");
  expect_points(seq04.frames[10], 125822);
  const Dataset seq00 = open_dataset(root / "sequences/00");
  EXPECT_EQ(numbers_of(seq00), (std::vector{0, 1, 52, 850}));
  EXPECT_EQ(seq00.frames[0].contents(), "image, calibration, label");
  EXPECT_EQ(seq00.frames[1].contents(), "calibration, label");
  expect_points(seq00.frames[0], 124668);
  const Dataset seq08 = open_dataset(root / "sequences/08");
  EXPECT_EQ(numbers_of(seq08), std::vector{720});
  EXPECT_EQ(seq08.frames[0].contents(), "label");
  expect_points(seq08.frames[0], 126661);
  EXPECT_EQ(open_dataset(root).frames.size(), 16U);
}

TEST(RealData, EveryLabelFitsItsScanAndHoldsARoad) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  int labelled = 0;
  for (const Frame& frame : open_dataset(kitti / "odometry").frames) {
    if (!frame.label) continue;
    const auto truth = load_ground_truth(frame, load_scan(frame));
    ASSERT_TRUE(truth);
    EXPECT_EQ(truth->source, "label:road");
    EXPECT_GT(truth->hyperplane(2), 0.4) << frame.name();
    ++labelled;
  }
  EXPECT_EQ(labelled, 6);
}

TEST(RealData, ObjectSplitOpens) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  for (const char* path : {"object/training", "object"}) {
    const Dataset dataset = open_dataset(kitti / path);
    EXPECT_EQ(dataset.layout, Layout::object);
    EXPECT_EQ(numbers_of(dataset), (std::vector{0, 1, 2}));
    EXPECT_EQ(dataset.frames[0].name(), "training/000000");
    EXPECT_EQ(dataset.frames[2].contents(), "image, calibration");
    expect_points(dataset.frames[2], 126891);
    EXPECT_TRUE(load_projection(dataset.frames[2]));
  }
}

TEST(RealData, AnnotationsOpenWithTheCalibrationOfTheirDay) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const Dataset dataset = open_dataset(kitti / "dpcp_annotations/09_29_071");
  EXPECT_EQ(numbers_of(dataset), (std::vector{221, 328}));
  for (const Frame& frame : dataset.frames) {
    EXPECT_EQ(frame.contents(), "image, calibration, annotation");
  }
  expect_points(dataset.frames[1], 121766);
  const auto pixel = load_projection(dataset.frames[0]).value()({10, 0, -1.7F, 0});
  ASSERT_TRUE(pixel);
  EXPECT_NEAR(pixel->u, 609.207, 1e-2);
}

TEST(RealData, PcdFolderAndFileOpen) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const auto bin =
      kitti / "raw/2011_09_26/2011_09_26_drive_0048_sync/velodyne_points/data/0000000000.bin";
  for (const char* path : {"pcd", "pcd/0000000000.pcd"}) {
    const Dataset dataset = open_dataset(kitti / path);
    EXPECT_EQ(numbers_of(dataset), std::vector{0});
    Scan scan = load_scan(dataset.frames[0]);
    ASSERT_EQ(scan.size(), 119978U);
    EXPECT_EQ(scan.back(), Point{});
    scan.pop_back();
    EXPECT_EQ(scan, load_scan(open_dataset(bin).frames[0]));  // reflectance included
  }
}

TEST(RealData, FoldersWithoutScansListTheLayoutsOrWhatLiesBelow) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const std::string none = test::input_error_of([&] { open_dataset(kitti / "raw/2011_09_29"); });
  EXPECT_NE(none.find("known layouts"), std::string::npos) << none;
  test::expect_one_line([&] { open_dataset(kitti); }, kitti.string(),
                        "several data sets in it: dpcp_annotations object odometry pcd ");
}

TEST(RealData, NativeNuScenesIsTheSameAsItsConversion) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const fs::path lidar = kitti.parent_path() / "lidar";
  const std::vector<Frame> native = open_dataset(lidar / "nuscenes_native").frames;
  ASSERT_EQ(native.size(), 3U);
  for (const Frame& frame : native) {
    const Frame converted =
        open_dataset(lidar / "nuscenes/velodyne" / (frame.stem() + ".bin")).frames.at(0);
    const Scan scan = load_scan(frame);
    EXPECT_EQ(scan, load_scan(converted)) << frame.name();
    EXPECT_EQ(load_labels(frame, scan.size()), load_labels(converted, scan.size()));
    EXPECT_EQ(count_points(frame), scan.size());
  }
}

TEST(RealData, RawFloatsOfAnotherFormatAreRefusedWhateverTheSensor) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const test::TempDir dir;
  const auto refused = [&](const std::string& name, const std::string& bytes) {
    const std::string message = test::input_error_of([&] { read_scan(dir.write(name, bytes)); });
    EXPECT_NE(message.find("another format of raw floats"), std::string::npos) << message;
  };
  const auto with_columns = [](const Scan& scan, std::size_t columns) {
    std::vector<float> numbers;
    for (const Point& p : scan) {
      const float all[] = {p.x, p.y, p.z, p.reflectance, p.x, 2 * p.y};
      numbers.insert(numbers.end(), all, all + columns);
    }
    numbers.resize(numbers.size() / 4 * 4);
    return std::string(reinterpret_cast<const char*>(numbers.data()), 4 * numbers.size());
  };
  const fs::path lidar = kitti.parent_path() / "lidar";
  for (const fs::path& path :
       {kitti / "odometry/sequences/00/velodyne/000000.bin", lidar / "livox/00/velodyne/000000.bin",
        lidar / "nuscenes/velodyne/000003.bin"}) {
    const Scan scan = read_scan(path);  // and is not refused itself
    for (const std::size_t columns : {3U, 5U, 6U}) refused("a.bin", with_columns(scan, columns));
    std::string doubles;
    for (const Point& p : scan) {
      const double all[] = {p.x, p.y, p.z, p.reflectance};
      doubles.append(reinterpret_cast<const char*>(all), sizeof all);
    }
    refused("doubles.bin", doubles);
  }
}

}  // namespace
}  // namespace roadplane::kitti
