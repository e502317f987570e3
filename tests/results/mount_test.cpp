#include "roadplane/results/mount.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>

namespace roadplane {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kHeight = 1.7;
constexpr double kRoll = 1.5;
constexpr double kPitch = -2;

FrameRecord frame_of(int number, double height_m, double roll_deg, double pitch_deg) {
  FrameRecord record;
  record.sequence = "04";
  record.frame = number;
  record.name = "04/" + std::to_string(number);
  const Eigen::Matrix3d levels = (Eigen::AngleAxisd(pitch_deg * kDegree, Eigen::Vector3d::UnitY()) *
                                  Eigen::AngleAxisd(roll_deg * kDegree, Eigen::Vector3d::UnitX()))
                                     .toRotationMatrix();
  record.w << levels.transpose() * Eigen::Vector3d::UnitZ(), height_m;
  record.w.normalize();
  return record;
}

/// A vehicle that pitches, each frame like the one before; every twentieth frame is far off.
std::vector<FrameRecord> drive(int frames, unsigned seed, double likeness) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const double fresh = std::sqrt(1 - likeness * likeness);
  std::array<double, 3> off{normal(random), normal(random), normal(random)};
  std::vector<FrameRecord> records;
  for (int k = 0; k < frames; ++k) {
    for (double& o : off) o = likeness * o + fresh * normal(random);
    const double outlier = k % 20 == 7 ? 1 : 0;
    records.push_back(frame_of(k, kHeight + 0.01 * off[0] + 0.3 * outlier, kRoll + 0.2 * off[1],
                               kPitch + 0.3 * off[2] + 5 * outlier));
  }
  return records;
}

Mount mount_of(const std::vector<FrameRecord>& records) {
  return mounts_of(road_views(records)).at(0);
}

TEST(Mount, RollAndPitchAreThoseThatLevelTheSensor) {
  for (const auto& [roll, pitch] : {std::pair(3.0, 0.0), {0.0, 4.0}, {-10.0, 7.0}}) {
    const Plane plane = *Plane::from_hyperplane(frame_of(0, kHeight, roll, pitch).w);
    EXPECT_NEAR(roll_deg(plane), roll, 1e-9);
    EXPECT_NEAR(pitch_deg(plane), pitch, 1e-9);
  }
}

TEST(Mount, ASensorThatHangsUpsideDownIsStillAboveTheRoad) {
  const Plane below{{0, 0.01, -1}, 1.5};
  const Mount mount = mounts_of(std::vector{RoadView{"rear", "rear/0", 0, below}}).at(0);
  EXPECT_EQ(mount.height_m.value, 1.5);
  EXPECT_NEAR(mount.roll_deg.value, 179.4, 0.1);
}

TEST(Mount, IntervalsHoldAlthoughNeighboursAreAlikeAndSomeFramesAreFarOff) {
  for (const double likeness : {0.0, 0.6, 0.9}) {
    constexpr int kDrives = 200;
    int holds = 0;
    int moved = 0;
    for (unsigned seed = 1; seed <= kDrives; ++seed) {
      const Mount mount = mount_of(drive(400, seed, likeness));
      ASSERT_TRUE(mount.roll_deg.interval_95);
      const Interval& roll = *mount.roll_deg.interval_95;
      holds += roll.low <= kRoll && kRoll <= roll.high ? 1 : 0;
      moved += mount.moved ? 1 : 0;
      EXPECT_NEAR(mount.height_m.value, kHeight, 0.02);
    }
    EXPECT_GE(holds, kDrives * 88 / 100) << likeness;
    EXPECT_LT(holds, kDrives) << likeness;
    EXPECT_LE(moved, kDrives * 2 / 100) << likeness;
  }
}

TEST(Mount, AMountThatMovesIsNotedWhereItDoes) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    auto records = drive(400, seed, 0.6);
    for (int k = 250; k < 400; ++k) {
      records[static_cast<std::size_t>(k)] =
          frame_of(k, kHeight, kRoll, kPitch + 1 + 0.3 * std::sin(k));
    }
    const auto moved = mount_of(records).moved;
    ASSERT_TRUE(moved) << seed;
    EXPECT_NEAR(std::stoi(moved->after.substr(3)), 249, 8) << seed;
    EXPECT_NEAR(moved->pitch_deg, 1, 0.4) << seed;
    EXPECT_NEAR(moved->height_m, 0, 0.03) << seed;
  }
}

TEST(Mount, SuspectAndFailedFramesDoNotCountAndFewFramesHaveNoInterval) {
  auto records = drive(30, 1, 0);
  const Mount before = mount_of(records);
  for (int k = 0; k < 20; ++k) {
    FrameRecord bad = frame_of(30 + k, 9, 20, 20);
    bad.status = k % 2 == 0 ? FrameStatus::suspect : FrameStatus::failed;
    records.push_back(bad);
  }
  const Mount after = mount_of(records);
  EXPECT_EQ(after.frames, 50U);
  EXPECT_EQ(after.used, 30U);
  EXPECT_EQ(after.height_m.value, before.height_m.value);
  const Mount few = mount_of(drive(3, 1, 0));
  EXPECT_FALSE(few.height_m.interval_95);
  EXPECT_TRUE(to_json(few)["height_m_95"].is_null());
  EXPECT_TRUE(mounts_of({}).empty());
}

TEST(Mount, EverySequenceHasItsOwn) {
  auto records = drive(10, 1, 0);
  for (std::size_t k = 5; k < 10; ++k) records[k].sequence = "05";
  const auto mounts = mounts_of(road_views(records));
  ASSERT_EQ(mounts.size(), 2U);
  EXPECT_EQ(mounts[0].used, 5U);
  EXPECT_EQ(mounts[1].sequence, "05");
  const std::vector<FrameRecord> same(40, frame_of(0, kHeight, kRoll, kPitch));
  const Mount still = mount_of(same);
  EXPECT_NEAR(still.height_m.value, kHeight, 1e-12);
  EXPECT_FALSE(still.moved);
}

}  // namespace
}  // namespace roadplane
