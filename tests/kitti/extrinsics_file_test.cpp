#include "roadplane/kitti/extrinsics_file.hpp"

#include <gtest/gtest.h>

#include "support/input_error.hpp"
#include "support/temp_dir.hpp"

namespace roadplane::test {
namespace {

TEST(ExtrinsicsFile, BothFormsSayTheSame) {
  const TempDir dir;
  dir.write("plain.txt", "# of a car\ntop: 0,0,0,0,0,0\n\nleft: -0.1,0.6,-0.35,1,2,90\r\n");
  dir.write("calib/open.txt",
            "device_id: 0\n(Roll,Pitch,Yaw,tx,ty,tz): 0 0 0 0 0 0\n"
            "device_id: 1\n(Roll,Pitch,Yaw,tx,ty,tz): 1 2 90 -0.1 0.6 -0.35\n");
  dir.write("calib/lidar_cloud_path.txt",
            "device_id: 0\npath: data/top.pcd\ndevice_id: 1\npath: data/left.pcd\n");
  const auto plain = kitti::read_extrinsics(dir / "plain.txt");
  const auto open = kitti::read_extrinsics(dir / "calib" / "open.txt");
  ASSERT_EQ(plain.size(), 2U);
  ASSERT_EQ(open.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(plain[k].name, open[k].name);
    EXPECT_TRUE(plain[k].to_vehicle.isApprox(open[k].to_vehicle));
  }
  EXPECT_EQ(plain[1].name, "left");
  EXPECT_TRUE(plain[1].to_vehicle.translation().isApprox(Eigen::Vector3d(-0.1, 0.6, -0.35)));
}

TEST(ExtrinsicsFile, WhatIsNoneIsOneLine) {
  const TempDir dir;
  const auto refused = [&](const std::string& text, const char* found) {
    dir.write("bad.txt", text);
    expect_one_line([&] { kitti::read_extrinsics(dir / "bad.txt"); }, (dir / "bad.txt").string(),
                    found);
  };
  refused("", "none");
  refused("top 0 0 0\n", "top 0 0 0");
  refused("top: 0,0,0\n", "top: 0,0,0");
  refused("top: 0,0,0,0,0,0\ntop: 0,0,0,0,0,1\n", "top twice");
  dir.write("lidar_cloud_path.txt", "device_id: 0\npath: top.pcd\n");
  refused("device_id: 3\n(Roll): 0 0 0 0 0 0\n", "3");
  refused("device_id: 0\n(Roll): 0 0 0 0\n", "0 0 0 0");
}

}  // namespace
}  // namespace roadplane::test
