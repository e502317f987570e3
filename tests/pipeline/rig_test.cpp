#include "roadplane/pipeline/rig.hpp"

#include <gtest/gtest.h>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/kitti/extrinsics_file.hpp"
#include "roadplane/kitti/scan_file.hpp"
#include "support/data.hpp"

namespace roadplane::test {
namespace {

using Verdict = LidarCheck::Verdict;

Extrinsic at(double x, double y, double z, double roll, double pitch, double yaw) {
  return {{x, y, z}, roll, pitch, yaw};
}

/// A road at z = 0 of the vehicle's frame (noise 1 cm) and some walls, as a LiDAR there sees it.
Scan view(const Extrinsic& truth, std::uint64_t seed) {
  CounterRandom random(seed, RandomUse::user);
  const Eigen::Isometry3d to_lidar = truth.to_vehicle().inverse();
  Scan scan;
  for (int k = 0; k < 6000; ++k) {
    const double angle = 6.283185307 * k / 6000;
    const double range = 3 + std::abs(12 * random.normal());
    Eigen::Vector3d p(range * std::cos(angle), range * std::sin(angle), 0.01 * random.normal());
    if (k % 4 == 0) p.z() = std::abs(2 * random.normal());
    p = to_lidar * p;
    scan.push_back(
        {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z()), 0});
  }
  return scan;
}

struct Rig {
  std::vector<Extrinsic> truth{at(0, 0, 1.9, 0, 0, 0), at(0.1, 0.7, 1.6, 3, 44, 90),
                               at(0.1, -0.7, 1.5, -2, 45, -90)};
  std::vector<Scan> scans{view(truth[0], 1), view(truth[1], 2), view(truth[2], 3)};

  std::vector<LidarCheck> check(const std::vector<Extrinsic>& given) const {
    std::vector<RigScan> lidars;
    const char* names[] = {"top", "left", "right"};
    for (std::size_t k = 0; k < given.size(); ++k) lidars.push_back({names[k], given[k], scans[k]});
    return check_rig(lidars, SegmentConfig{});
  }
};

TEST(Rig, AnExtrinsicIsTheTransformThatItIsMadeOf) {
  const Extrinsic given = at(1, 2, 3, 20, -40, 110);
  const Extrinsic again = Extrinsic::of(given.to_vehicle());
  EXPECT_NEAR(again.roll_deg, given.roll_deg, 1e-9);
  EXPECT_NEAR(again.pitch_deg, given.pitch_deg, 1e-9);
  EXPECT_NEAR(again.yaw_deg, given.yaw_deg, 1e-9);
  EXPECT_EQ(again.place_m, given.place_m);
}

TEST(Rig, LidarsThatAreWhereTheyAreSaidToBeFit) {
  const Rig rig;
  for (const LidarCheck& check : rig.check(rig.truth)) {
    EXPECT_EQ(check.verdict, Verdict::fits) << check.name << " " << check.angle_deg.value;
    EXPECT_LT(check.angle_deg.value, 0.2);
    EXPECT_NEAR(check.z_m.value, 0, 0.02);
  }
}

TEST(Rig, WhatIsWrongWithOneExtrinsicIsMeasured) {
  const Rig rig;
  std::vector<Extrinsic> wrong = rig.truth;
  wrong[1].roll_deg -= 2;
  wrong[1].pitch_deg += 1.5;
  wrong[1].place_m.z() -= 0.08;
  const std::vector<LidarCheck> checks = rig.check(wrong);
  EXPECT_EQ(checks[0].verdict, Verdict::fits);
  EXPECT_EQ(checks[2].verdict, Verdict::fits);
  EXPECT_EQ(checks[1].verdict, Verdict::differs);
  EXPECT_NEAR(checks[1].roll_deg.value, 2, 0.2);
  EXPECT_NEAR(checks[1].pitch_deg.value, -1.5, 0.2);
  EXPECT_NEAR(checks[1].z_m.value, 0.08, 0.02);
  EXPECT_LT(std::abs(checks[1].roll_deg.value - 2), checks[1].roll_deg.half_width);
  EXPECT_NEAR(checks[1].corrected.roll_deg, 3, 0.2);
  EXPECT_NEAR(checks[1].corrected.pitch_deg, 44, 0.2);
  EXPECT_EQ(checks[1].corrected.yaw_deg, 90);
}

TEST(Rig, ALidarMayHangUpsideDownOrLieOnItsSide) {
  Rig rig;
  rig.truth[1] = at(0.1, 0.7, 1.6, 178, 3, 90);
  rig.truth[2] = at(0.1, -0.7, 1.5, 92, -3, 10);
  for (const std::size_t k : {1, 2}) rig.scans[k] = view(rig.truth[k], 10 + k);
  for (const LidarCheck& check : rig.check(rig.truth)) {
    EXPECT_EQ(check.verdict, Verdict::fits) << check.name << " " << check.note;
  }
  std::vector<Extrinsic> wrong = rig.truth;
  wrong[1].roll_deg -= 3;
  const std::vector<LidarCheck> checks = rig.check(wrong);
  EXPECT_EQ(checks[1].verdict, Verdict::differs);
  EXPECT_NEAR(checks[1].roll_deg.value, 3, 0.2);
  EXPECT_NEAR(checks[1].pitch_deg.value, 0, 0.2);
}

TEST(Rig, YawAndPlaceOnTheRoadChangeNothing) {
  const Rig rig;
  std::vector<Extrinsic> moved = rig.truth;
  moved[1].place_m += Eigen::Vector3d(3, -2, 0);
  moved[0].yaw_deg += 25;
  const std::vector<LidarCheck> before = rig.check(rig.truth);
  const std::vector<LidarCheck> after = rig.check(moved);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(after[k].verdict, Verdict::fits);
    EXPECT_NEAR(after[k].z_m.value, before[k].z_m.value, 0.02);
  }
}

TEST(Rig, MomentsTogetherAreMoreCertainThanOne) {
  const Rig rig;
  std::vector<RigScan> lidars{
      {"top", rig.truth[0]}, {"left", rig.truth[1]}, {"right", rig.truth[2]}};
  const std::vector<std::vector<LidarCheck>> moments(4, rig.check(rig.truth));
  const std::vector<LidarCheck> all = combined(moments, lidars);
  EXPECT_NEAR(all[1].angle_deg.half_width, 0.5 * moments[0][1].angle_deg.half_width, 1e-12);
  EXPECT_EQ(all[1].angle_deg.value, moments[0][1].angle_deg.value);
}

TEST(Rig, AllAgreeOnOnePlaneOnceALidarIsPlacedAnew) {
  const Rig rig;
  std::vector<Extrinsic> wrong = rig.truth;
  wrong[2].roll_deg = wrong[2].pitch_deg = 0;
  std::vector<RigScan> lidars{{"top", wrong[0], rig.scans[0]},
                              {"left", wrong[1], rig.scans[1]},
                              {"right", wrong[2], rig.scans[2]}};
  const std::vector<LidarCheck> checks = check_rig(lidars, SegmentConfig{});
  EXPECT_EQ(checks[2].verdict, Verdict::differs);
  const Segmentation found = segment_rig(lidars, checks, SegmentConfig{}, "rig");
  EXPECT_EQ(found.consensus.agents.size(), 3U);
  EXPECT_NEAR(found.record.plane.offset_m, 0, 0.02);
  EXPECT_EQ(found.labels.road.size(), 18000U);
  std::size_t road_of_right = 0;
  for (std::size_t k = 12000; k < 18000; ++k) road_of_right += found.labels.road[k];
  EXPECT_GT(road_of_right, 4400U);
}

/// The rough extrinsics of three LiDARs of a car have no roll and pitch.
TEST(Rig, RealLidarsTiltedBy45DegreesAreFoundOut) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const auto folder = kitti.parent_path() / "lidar" / "three_lidars";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no lidar/three_lidars";
  std::vector<Scan> scans;
  std::vector<RigScan> lidars;
  for (const auto& each : kitti::read_extrinsics(folder / "initial_extrinsic.txt")) {
    scans.push_back(kitti::read_scan(folder / (each.name + ".pcd")));
    lidars.push_back({each.name, Extrinsic::of(each.to_vehicle)});
  }
  ASSERT_EQ(lidars.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) lidars[k].points = scans[k];
  const std::vector<LidarCheck> rough = check_rig(lidars, SegmentConfig{});
  EXPECT_EQ(rough[0].verdict, Verdict::reference);
  for (const std::size_t k : {1, 2}) {
    EXPECT_EQ(rough[k].verdict, Verdict::differs);
    EXPECT_NEAR(rough[k].angle_deg.value, 45, 1.5);
  }
  lidars[1].extrinsic.roll_deg += 1;
  lidars[1].extrinsic.place_m.z() += 0.05;
  const std::vector<LidarCheck> changed = check_rig(lidars, SegmentConfig{});
  EXPECT_NEAR(changed[1].roll_deg.value - rough[1].roll_deg.value, -1, 0.1);
  EXPECT_NEAR(changed[1].z_m.value - rough[1].z_m.value, -0.05, 0.01);
  for (std::size_t k = 0; k < 3; ++k) lidars[k].extrinsic = rough[k].corrected;
  lidars[0].extrinsic = Extrinsic{};
  for (const LidarCheck& check : check_rig(lidars, SegmentConfig{})) {
    EXPECT_NE(check.verdict, Verdict::differs) << check.name;
  }
}

}  // namespace
}  // namespace roadplane::test
