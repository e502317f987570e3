#include "roadplane/kitti/fleet.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "roadplane/kitti/synthetic/fleet.hpp"
#include "support/data.hpp"
#include "support/input_error.hpp"
#include "support/temp_dir.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;
using test::TempDir;

FleetOptions small_fleet() {
  FleetOptions options;
  options.scene.points_per_frame = 6000;
  options.scene.frames = 2;
  options.scene.hill = Hill::crest;
  options.scene.bank_percent = 4;
  options.scene.roughness_m = 0;
  options.scene.range_noise_m = 0;
  options.vehicles = 3;
  options.spacing_m = 24;
  options.height_noise_m = 0.2;
  return options;
}

void write_text(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

TEST(SyntheticFleet, RoadPointsLieOnTheRoadWhereverTheyAreSeenFrom) {
  const FleetOptions options = small_fleet();
  const SyntheticFleet fleet(options);
  for (int k = 0; k < options.vehicles; ++k) {
    const SyntheticVehicle vehicle = fleet.vehicle(k, 1);
    int road = 0;
    double worst_m = 0;
    for (std::size_t p = 0; p < vehicle.points.size(); ++p) {
      if (vehicle.labels[p] != 40) continue;
      const Point& point = vehicle.points[p];
      const Eigen::Vector3d at = vehicle.true_pose * Eigen::Vector3d(point.x, point.y, point.z);
      worst_m = std::max(worst_m, std::abs(at.z() - fleet.ground_m(at.x(), at.y())));
      ++road;
    }
    EXPECT_GT(road, 500);
    EXPECT_LT(worst_m, 0.01) << "vehicle " << k;
  }
}

TEST(SyntheticFleet, TheGroundBelowAVehicleTouchesTheRoadThere) {
  const SyntheticFleet fleet(small_fleet());
  for (int k = 0; k < 3; ++k) {
    const SyntheticVehicle vehicle = fleet.vehicle(k, 0);
    const Eigen::Vector3d normal = vehicle.true_pose.linear() * vehicle.ground.normal;
    const Eigen::Vector3d at = vehicle.true_pose.translation();
    const auto plane_m = [&](double x, double y) {  // above (x, y) in the common frame
      return at.z() -
             (vehicle.ground.offset_m + normal.x() * (x - at.x()) + normal.y() * (y - at.y())) /
                 normal.z();
    };
    EXPECT_NEAR(plane_m(at.x(), at.y()), fleet.ground_m(at.x(), at.y()), 0.002) << k;
    EXPECT_NEAR(plane_m(at.x() + 1, at.y()), fleet.ground_m(at.x() + 1, at.y()), 0.02) << k;
  }
}

TEST(Fleet, AWrittenScenarioIsReadAsItWas) {
  const TempDir folder;
  const FleetOptions options = small_fleet();
  write_fleet(options, folder.path() / "street");
  const Fleet fleet = open_fleet(folder.path());  // one scenario is entered
  EXPECT_EQ(fleet.layout, Fleet::Layout::scenario);
  EXPECT_EQ(fleet.vehicles, (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_EQ(moments_of(fleet, 1), (std::vector<std::string>{"000000", "000001"}));
  const VehicleScan read = read_vehicle(fleet, 1, "000001");
  const SyntheticVehicle made = SyntheticFleet(options).vehicle(1, 1);
  EXPECT_EQ(read.points, made.points);
  EXPECT_EQ(load_labels(read.frame, read.points.size()), made.labels);
  EXPECT_TRUE(read.pose.isApprox(made.pose, 1e-12));
  EXPECT_TRUE(read.true_pose->isApprox(made.true_pose, 1e-12));
  EXPECT_FALSE(read.pose.isApprox(made.true_pose, 1e-6));
  EXPECT_NEAR(read.true_ground->offset_m, made.ground.offset_m, 1e-12);
}

TEST(Fleet, NumbersOfAPoseAreThoseItCameFrom) {
  const CarlaPose numbers{12, -3, 1.9, -2, 100, 7};
  const CarlaPose again = numbers_of(pose_of(numbers));
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(again[k], numbers[k], 1e-9);
  EXPECT_NEAR(pose_of(numbers).linear().determinant(), 1, 1e-12);
}

TEST(Fleet, BadPosesAndNamesAreSaidInOneLine) {
  const TempDir folder;
  const fs::path root = folder.path() / "s";
  write_text(root / "1/000.pcd", "x");
  write_text(root / "2/000.yaml", "lidar_pose: [0, 0, .nan, 0, 0, 0]\n");
  write_text(root / "3/000.yaml", "lidar_pose: [0, 0, 0]\n");
  write_text(root / "4/000.yaml", "speed: 3\n");
  write_text(root / "5/000.yaml", "lidar_pose: [[\n");
  write_text(root / "6/000.yaml", "lidar_pose: [0, 0, 0, 0, 0, 0]\n");
  write_text(root / "8/000.yaml", "lidar_pose: \"\\\x1b\"\n");  // the library's message holds it
  const Fleet fleet = open_fleet(root);
  const auto bad = [&](std::size_t vehicle) {
    return test::input_error_of([&] { read_vehicle(fleet, vehicle, "000"); });
  };
  EXPECT_NE(bad(0).find("000.yaml"), std::string::npos) << bad(0);
  EXPECT_NE(bad(1).find("found \".nan\""), std::string::npos) << bad(1);
  EXPECT_NE(bad(2).find("expected 6 finite numbers, found 3"), std::string::npos) << bad(2);
  EXPECT_NE(bad(3).find("expected a key lidar_pose"), std::string::npos) << bad(3);
  EXPECT_NE(bad(4).find("expected YAML"), std::string::npos) << bad(4);
  EXPECT_NE(bad(5).find("000.pcd"), std::string::npos) << bad(5);
  EXPECT_NE(bad(6).find("expected YAML"), std::string::npos) << bad(6);
  EXPECT_EQ(bad(6).find('\x1b'), std::string::npos);
  fs::create_directory(root / "06");
  const Fleet twice = open_fleet(root);
  EXPECT_EQ(twice.vehicles, (std::vector<std::string>{"1", "2", "3", "4", "5", "8"}));
  ASSERT_EQ(twice.remarks.size(), 1U);
  EXPECT_NE(twice.remarks[0].find("one vehicle of each number"), std::string::npos);
}

/// V2V4Real has matrices in place of six numbers.
TEST(Fleet, APoseMayBeAMatrix) {
  const TempDir folder;
  const fs::path root = folder.path() / "s";
  const std::string yaml = "lidar_pose:\n- [0, -1, 0, 7.5]\n- [1, 0, 0, -2]\n- [0, 0, 1, 1.9]\n";
  write_text(root / "1/000.yaml", yaml + "- [0, 0, 0, 1]\n");
  write_text(root / "2/000.yaml", yaml);
  write_text(root / "3/000.yaml", yaml + "- [0, 0, .inf, 1]\n");
  write_text(root / "4/000.yaml", yaml + "- [0, 0, 0.5, 1]\n");
  write_text(root / "5/000.yaml", yaml + "- 7\n");
  for (const char* name : {"1", "2", "3", "4", "5"})
    write_text(root / name / "000.pcd",
               "VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 1\nHEIGHT 1\n"
               "VIEWPOINT 0 0 0 1 0 0 0\nPOINTS 1\nDATA ascii\n1 2 3\n");
  const Fleet fleet = open_fleet(root);
  const Eigen::Isometry3d pose = read_vehicle(fleet, 0, "000").pose;
  EXPECT_TRUE((pose * Eigen::Vector3d(1, 2, 3)).isApprox(Eigen::Vector3d(5.5, -1, 4.9), 1e-12));
  const auto bad = [&](std::size_t vehicle) {
    return test::input_error_of([&] { read_vehicle(fleet, vehicle, "000"); });
  };
  EXPECT_NE(bad(1).find("expected 4 rows of 4 finite numbers, found 3 rows"), std::string::npos);
  EXPECT_NE(bad(2).find("found \".inf\""), std::string::npos) << bad(2);
  EXPECT_NE(bad(3).find("expected 0 0 0 1 as the last row"), std::string::npos) << bad(3);
  EXPECT_NE(bad(4).find("found another row 4"), std::string::npos) << bad(4);
}

TEST(Fleet, APoseThatScalesOrLeadsOffThePlanetIsRefused) {
  const TempDir folder;
  const fs::path drive = folder.path() / "sequences/04";
  for (const char* name : {"0", "1", "2"}) {
    write_text(drive / "velodyne" / (std::string("00000") + name + ".bin"), std::string(64, '\1'));
  }
  write_text(drive / "calib.txt", "Tr: 0 -1 0 0 0 0 -1 0 1 0 0 0\n");
  write_text(drive / "poses.txt",
             "1 0 0 3 0 1 0 0 0 0 1 0\n2 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 0 0 1 0 1e30 0 0 1 0\n");
  const Fleet fleet = open_fleet(drive, "0,1,2");
  EXPECT_NEAR(read_vehicle(fleet, 0, "convoy").pose.translation().y(), -3, 1e-12);
  const auto bad = [&](std::size_t vehicle) {
    return test::input_error_of([&] { read_vehicle(fleet, vehicle, "convoy"); });
  };
  EXPECT_NE(bad(1).find("poses.txt, line 2: expected a rotation"), std::string::npos) << bad(1);
  EXPECT_NE(bad(2).find("line 3: expected metres within 10000 km, found 1e+30"), std::string::npos)
      << bad(2);
}

TEST(Fleet, FramesOfADriveAreAConvoyAndNamedOnce) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const fs::path drive = kitti.parent_path() / "lidar/convoy/sequences/04";
  const Fleet fleet = open_fleet(drive, "0,10,20");
  const Eigen::Vector3d at = read_vehicle(fleet, 1, "convoy").pose.translation();
  EXPECT_NEAR(at.norm(), 13.7, 1);
  EXPECT_GT(at.x(), 13);  // forward
  EXPECT_NE(test::input_error_of([&] { open_fleet(drive, "0,7"); }).find("found \"7\""),
            std::string::npos);
  EXPECT_NE(test::input_error_of([&] { open_fleet(drive, "0,10,10"); }).find("twice"),
            std::string::npos);
}

/// In that scenario the road is at z = 0.
TEST(Fleet, PosesOfCarlaPutTheRoadWhereItIs) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const Fleet fleet = open_fleet(kitti.parent_path() / "lidar/fleet");
  ASSERT_EQ(fleet.vehicles.size(), 5U);
  for (std::size_t k = 0; k < fleet.vehicles.size(); ++k) {
    const VehicleScan scan = read_vehicle(fleet, k, moments_of(fleet, k).front());
    int near = 0;
    for (const Point& p : scan.points) {
      near += std::abs((scan.pose * Eigen::Vector3d(p.x, p.y, p.z)).z()) < 0.02;
    }
    EXPECT_GT(near, 8000) << fleet.vehicles[k];
  }
}

}  // namespace
}  // namespace roadplane::kitti
