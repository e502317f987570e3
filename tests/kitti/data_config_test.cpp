#include "roadplane/kitti/data_config.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "roadplane/base/field_error.hpp"
#include "roadplane/kitti/rigid_transform.hpp"
#include "support/input_error.hpp"
#include "support/temp_dir.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;
using test::expect_one_line;
using test::input_error_of;
using test::TempDir;

const std::string kOnePoint(16, '\0');
using Names = std::vector<std::string>;

Names names_of(const std::vector<Frame>& frames) {
  Names names;
  for (const Frame& frame : frames) names.push_back(frame.name());
  return names;
}

DataConfig at(const std::initializer_list<fs::path>& paths) {
  DataConfig config;
  for (const fs::path& path : paths) config.paths.push_back(path.string());
  return config;
}

/// The line that says what is wrong with a field, with the field in it.
std::string complaint(const DataConfig& config) {
  return input_error_of([&] {
    config.validate();
    select_frames(config, open_data(config));
  });
}

class Data : public testing::Test {
 protected:
  Data() {
    for (const char* name : {"a/1.bin", "a/2.bin", "b/1.bin", "b/9.pcd"})
      dir_.write(name, kOnePoint);
  }
  TempDir dir_;
};

TEST_F(Data, SeveralPathsAndPatternsAreJoinedInTheirOrder) {
  EXPECT_EQ(names_of(open_data(at({dir_ / "b", dir_ / "a"})).frames),
            (Names{"b/1", "b/9", "a/1", "a/2"}));
  EXPECT_EQ(names_of(open_data(at({dir_ / "a/*.bin"})).frames), (Names{"a/1", "a/2"}));
  EXPECT_EQ(names_of(open_data(at({dir_ / "?/1.bin"})).frames), (Names{"a/1", "b/1"}));
  expect_one_line([&] { open_data(at({dir_ / "*.las"})); }, (dir_ / "*.las").string(),
                  "none that match");
  expect_one_line(
      [&] {
        open_data(at({dir_ / "a/1.bin", dir_ / "a"}));
      },
      (dir_ / "a/1.bin").string(), "a/1 twice");
}

TEST_F(Data, FramesAreChosenByNumber) {
  DataConfig config = at({dir_ / "b"});
  config.frames = "5:";
  EXPECT_EQ(names_of(select_frames(config, open_data(config))), (Names{"b/9"}));
}

TEST_F(Data, AFolderThatHoldsOneDatasetIsEntered) {
  dir_.write("above/data/7.bin", kOnePoint);
  dir_.write("above/readme.txt", "");
  const Dataset dataset = open_data(at({dir_ / "above"}));
  EXPECT_EQ(names_of(dataset.frames), (Names{"data/7"}));
  ASSERT_EQ(dataset.remarks.size(), 1U);
  EXPECT_EQ(dataset.remarks[0], "the data is in " + (dir_ / "above/data").string());
  expect_one_line([&] { open_data(at({dir_.path()})); }, dir_.path().string(),
                  "several data sets in it: a b");
}

TEST_F(Data, OtherDataSetsBesideSequencesAreSaidToBeLeftOut) {
  dir_.write("root/04/velodyne/000000.bin", kOnePoint);
  dir_.write("root/scans/1.pcd", kOnePoint);
  dir_.write("root/notes/readme.txt", "");
  const Dataset dataset = open_data(at({dir_ / "root"}));
  EXPECT_EQ(names_of(dataset.frames), (Names{"04/000000"}));
  ASSERT_EQ(dataset.remarks.size(), 1U);
  EXPECT_EQ(dataset.remarks[0],
            (dir_ / "root/scans").string() + " is left out: a data set of its own");
}

TEST_F(Data, WhatIsLeftOutIsSaid) {
  dir_.write("a/1.pcd", kOnePoint);
  fs::create_symlink(dir_ / "gone.bin", dir_ / "a/3.bin");
  const Dataset dataset = open_data(at({dir_ / "a"}));
  EXPECT_EQ(names_of(dataset.frames), (Names{"a/1", "a/2", "a/3"}));
  ASSERT_EQ(dataset.remarks.size(), 1U);
  EXPECT_EQ(dataset.remarks[0],
            (dir_ / "a/1.pcd").string() + " is left out: 1.bin is the same frame");
  expect_one_line([&] { load_scan(dataset.frames[2]); }, (dir_ / "a/3.bin").string(),
                  "no such file");
}

TEST_F(Data, AnIndexBesideAnnotationsIsNoAnnotation) {
  dir_.write("m/29_071_0221_data.mat", "");
  dir_.write("m/index.mat", "");
  const Dataset dataset = open_data(at({dir_ / "m"}));
  EXPECT_EQ(names_of(dataset.frames), (Names{"m/29_071_0221_data"}));
  ASSERT_FALSE(dataset.remarks.empty());
  EXPECT_NE(dataset.remarks[0].find("index.mat is left out"), std::string::npos);
}

TEST_F(Data, CalibrationIsFoundInTheDriveAndWhereItIsNamed) {
  const std::string drive = "2011_09_26/2011_09_26_drive_0005_sync";
  dir_.write(drive + "/velodyne_points/data/0000000002.bin", kOnePoint);
  dir_.write(drive + "/image_02/data/0000000002.png", "");
  const Dataset bare = open_data(at({dir_ / drive / "velodyne_points"}));
  ASSERT_EQ(bare.frames.size(), 1U);
  ASSERT_EQ(bare.remarks.size(), 1U);
  EXPECT_EQ(bare.remarks[0].rfind("no calibration, looked for in ", 0), 0U) << bare.remarks[0];
  dir_.write(drive + "/calib_velo_to_cam.txt", "");
  dir_.write(drive + "/calib_cam_to_cam.txt", "");
  EXPECT_EQ(open_data(at({dir_ / drive})).frames[0].calibration->path, dir_ / drive);

  DataConfig config = at({dir_ / "a"});
  config.calib = dir_.write("c/calib.txt", "P2: 1\nTr: 1\n").string();
  EXPECT_EQ(open_data(config).frames[0].calibration->layout, CalibrationSource::Layout::odometry);
  config.calib = (dir_ / "c").string();
  EXPECT_EQ(open_data(config).frames[0].calibration->path, dir_ / "c/calib.txt");
  dir_.write("each/1.txt", "Tr_velo_to_cam: 1\n");
  config.calib = (dir_ / "each").string();
  EXPECT_NE(complaint(config).find("a .txt for each frame"), std::string::npos) << "2 has none";
  dir_.write("each/2.txt", "Tr_velo_to_cam: 1\n");
  EXPECT_EQ(open_data(config).frames[1].calibration->layout, CalibrationSource::Layout::object);
  config.calib = (dir_ / "nowhere").string();
  EXPECT_NE(complaint(config).find("a file or a folder"), std::string::npos);
}

TEST_F(Data, NativeNuScenesFindsItsLabelsByNameOrByTable) {
  dir_.write("n/samples/LIDAR_TOP/x__1.pcd.bin", std::string(20, '\0'));
  dir_.write("n/samples/LIDAR_TOP/x__2.pcd.bin", std::string(20, '\0'));
  dir_.write("n/lidarseg/v1.0-mini/x__1_lidarseg.bin", std::string(1, 24));
  dir_.write("n/lidarseg/v1.0-mini/abc_lidarseg.bin", std::string(1, 26));
  dir_.write("n/v1.0-mini/lidarseg.json",
             R"([{"token": "abc", "sample_data_token": "t2",
                  "filename": "lidarseg/v1.0-mini/abc_lidarseg.bin"}])");
  dir_.write("n/v1.0-mini/sample_data.json",
             R"([{"token": "t2", "filename": "samples/LIDAR_TOP/x__2.pcd.bin", "is_key": true}])");
  for (const char* path : {"n", "n/samples/LIDAR_TOP"}) {
    const Dataset dataset = open_data(at({dir_ / path}));
    EXPECT_EQ(dataset.layout, Layout::nuscenes);
    ASSERT_EQ(names_of(dataset.frames), (Names{"n/x__1", "n/x__2"}));
    EXPECT_EQ(*load_labels(dataset.frames[0], 1), Labels{40});
    EXPECT_EQ(*load_labels(dataset.frames[1], 1), Labels{48});
    expect_one_line([&] { load_labels(dataset.frames[0], 2); }, dataset.frames[0].label->string(),
                    "1");
  }
  dir_.write("n/v1.0-mini/lidarseg.json", "[");
  expect_one_line([&] { open_data(at({dir_ / "n"})); },
                  (dir_ / "n/v1.0-mini/lidarseg.json").string(), "not JSON");
}

TEST_F(Data, TransformsAreRead) {
  const Eigen::Isometry3d pose = transform_from_text("1,2,3,0,0,90");
  EXPECT_TRUE((pose * Eigen::Vector3d(1, 0, 0)).isApprox(Eigen::Vector3d(1, 3, 3)));
  // Rz(yaw) Ry(pitch) Rx(roll): roll first.
  const Eigen::Isometry3d turned = transform_from_text("0,0,0,90,90,0");
  EXPECT_TRUE((turned * Eigen::Vector3d(0, 1, 0)).isApprox(Eigen::Vector3d(1, 0, 0)));
  const fs::path file = dir_.write("t.txt", "0 -1 0 1\n1 0 0 2\n0 0 1 3\n0 0 0 1\n");
  EXPECT_TRUE(transform_from_text(file.string()).isApprox(pose));
  const auto refused = [&](const std::string& text, const char* found) {
    DataConfig config = at({dir_ / "a"});
    config.transform = text;
    EXPECT_NE(complaint(config).find(found), std::string::npos) << complaint(config);
  };
  refused("1,2,3", "\"1,2,3\"");
  refused("1,2,3,0,0,east", "east");
  refused(dir_.write("u.txt", "1 0 0").string(), "found 3");
  refused(dir_.write("u.txt", "2 0 0 0\n0 2 0 0\n0 0 2 0\n0 0 0 1\n").string(), "scales");
  refused(dir_.write("u.txt", "-1 0 0 0\n0 1 0 0\n0 0 1 0\n").string(), "mirrors");
  refused(dir_.write("u.txt", "a b c").string(), "\"a\"");
}

TEST_F(Data, ASensorAboveTheGroundSeesTheGroundBelow) {
  DataConfig config = at({dir_ / "a"});
  config.sensor_height_m = 1.7;
  config.validate();
  const Frame frame = open_data(config).frames[0];
  const Eigen::Vector4d seen = Eigen::Vector4d(0, 0, 1, 1.7).normalized();
  const auto plane = plane_in_file(seen, frame);
  ASSERT_TRUE(plane);
  EXPECT_NEAR(plane->offset_m, 0, 1e-12);
  EXPECT_TRUE(hyperplane_at_sensor(plane->hyperplane(), frame).isApprox(seen));
  config.transform = "0,0,1,0,0,0";
  EXPECT_NE(complaint(config).find("both"), std::string::npos);
  config.transform.clear();
  config.sensor_height_m = -1;
  EXPECT_NE(complaint(config).find("sensor_height"), std::string::npos);
  config.sensor_height_m = 0;
  config.sensor_origin = "2,-1,1.7";
  const Frame moved = open_data(config).frames[0];
  EXPECT_TRUE((*moved.reading.to_sensor * Eigen::Vector3d(2, -1, 1.7)).isZero(1e-12));
  for (const char* bad : {"1,2", "1,2,3,4", "1,2,up", "1e9,0,0"}) {
    config.sensor_origin = bad;
    EXPECT_NE(complaint(config).find("sensor_origin"), std::string::npos) << bad;
  }
  config.sensor_origin = "2,-1,1.7";
  config.sensor_height_m = 1.7;
  EXPECT_NE(complaint(config).find("both"), std::string::npos);
  config.sensor_origin.clear();
  config.sensor_height_m = 0;
  config.format = "pcd";
  EXPECT_NE(complaint(config).find("nuscenes"), std::string::npos);
}

}  // namespace
}  // namespace roadplane::kitti
