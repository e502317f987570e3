#include <gtest/gtest.h>

#include "roadplane/dpcp/plane_tracker.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/kitti/synthetic/scene.hpp"
#include "shard_clouds.hpp"
#include "support/data.hpp"
#include "support/input_error.hpp"

namespace roadplane {
namespace {

constexpr int kFrames = 6;

PlaneOptions usual() { return {VrsgtOptions{}, RobustOptions{}}; }

const Network& network() {
  static const Network kNetwork(Graph::erdos_renyi(test::kAgents, 0.5, 1));
  return kNetwork;
}

std::vector<HomogeneousCloud> clouds_of(const Scan& scan) {
  return test::shard_clouds(scan, ShardKind::azimuth, test::kAgents,
                            columns_enough(usual(), test::kAgents));
}

/// The first frames of a drive.
const std::vector<Scan>& drive() {
  static const std::vector<Scan> kDrive = [] {
    kitti::SceneOptions options;
    options.points_per_frame = 20000;
    const kitti::SyntheticScene scene(options);
    std::vector<Scan> scans;
    for (int k = 0; k < kFrames; ++k) scans.push_back(scene.frame(k).points);
    return scans;
  }();
  return kDrive;
}

Scan moved(const Scan& scan, const ScanMotion& motion) {
  Scan result = scan;
  for (Point& p : result) {
    const Eigen::Vector3d q = motion * Eigen::Vector4d(p.x, p.y, p.z, 1);
    p.x = static_cast<float>(q.x());
    p.y = static_cast<float>(q.y());
    p.z = static_cast<float>(q.z());
  }
  return result;
}

ScanMotion pitch_and_lift(double radians, double metres) {
  ScanMotion motion;
  motion << std::cos(radians), 0, std::sin(radians), 0, 0, 1, 0, 0, -std::sin(radians), 0,
      std::cos(radians), metres;
  return motion;
}

PlaneFit afresh(const Scan& scan) {
  LocalChannel channel(network());
  return find_plane(channel, clouds_of(scan), usual());
}

PlaneFit next(PlaneTracker& track, const Scan& scan, const std::optional<ScanMotion>& motion = {}) {
  LocalChannel channel(network());
  return track(channel, clouds_of(scan), usual(), motion);
}

TEST(PlaneTracker, FindsTheMinimiserOfAFreshSolveWithAThirdOfTheBytes) {
  PlaneTracker track;
  for (const Scan& scan : drive()) {
    const bool first = !track.has_plane();
    const PlaneFit fresh = afresh(scan);
    const PlaneFit fit = next(track, scan);
    EXPECT_EQ(fit.began, first ? PlaneStart::found : PlaneStart::tracked);
    EXPECT_FALSE(fit.finding.suspect());
    for (const Eigen::Vector4d& w : fit.w) EXPECT_LT(recovery_error(w, fresh.w.front()), 2e-4);
    if (first) continue;
    EXPECT_LE(fit.traffic.messages_per_link, 60);
    EXPECT_LE(fit.traffic.bytes_per_agent(network().graph), 6000);
  }
}

TEST(PlaneTracker, TheFirstScanIsSolvedAsAlways) {
  PlaneTracker track;
  const PlaneFit fresh = afresh(drive().front());
  EXPECT_EQ(next(track, drive().front()).w, fresh.w);
  track.forget();
  EXPECT_EQ(next(track, drive().front()).w, fresh.w);
}

TEST(PlaneTracker, ATrackThatIsLostIsFoundAgain) {
  PlaneTracker track;
  next(track, drive().at(0));
  // The sensor sits elsewhere: nothing is where the track looks for it.
  const ScanMotion lifted = pitch_and_lift(0.02, -0.5);
  const PlaneFit jumped = next(track, moved(drive().at(1), lifted));
  EXPECT_EQ(jumped.began, PlaneStart::lost);
  EXPECT_TRUE(jumped.finding.has(Doubt::jump));
  const Scan scan = moved(drive().at(2), lifted);
  EXPECT_LT(recovery_error(jumped.w.front(), afresh(moved(drive().at(1), lifted)).w.front()), 2e-4);
  EXPECT_LT(recovery_error(next(track, scan).w.front(), afresh(scan).w.front()), 2e-4);
}

TEST(PlaneTracker, ATrackIsLostWhereMuchFewerPointsThanBeforeLieOnIt) {
  PlaneTracker track;
  next(track, drive().at(0));
  Scan crowded = drive().at(1);
  for (std::size_t k = 0; k < crowded.size(); ++k) {
    if (k % 5 < 3) crowded[k].z += 1 + 0.3F * static_cast<float>(k % 7);
  }
  const PlaneFit fit = next(track, crowded);
  EXPECT_EQ(fit.began, PlaneStart::lost);
  EXPECT_LT(recovery_error(fit.w.front(), afresh(crowded).w.front()), 2e-4);
}

TEST(PlaneTracker, GoesByTheVehiclesMotionWhereItIsKnown) {
  PlaneTracker track;
  next(track, drive().at(0));
  const ScanMotion motion = pitch_and_lift(0.02, -0.5);
  const Scan scan = moved(drive().at(1), motion);
  const PlaneFit fit = next(track, scan, motion);
  EXPECT_EQ(fit.began, PlaneStart::tracked);
  EXPECT_FALSE(fit.finding.suspect());
  EXPECT_LT(recovery_error(fit.w.front(), afresh(scan).w.front()), 2e-4);
}

TEST(PlaneTracker, AWrongMotionIsNoJumpWhereTheRoadIsWhereItWas) {
  PlaneTracker track;
  next(track, drive().at(0));
  const PlaneFit fit = next(track, drive().at(1), pitch_and_lift(0.02, -0.5));
  EXPECT_FALSE(fit.finding.suspect());
  EXPECT_LT(recovery_error(fit.w.front(), afresh(drive().at(1)).w.front()), 2e-4);
}

TEST(PlaneTracker, AMotionOutOfWhatMayBeARoadIsAFreshStart) {
  PlaneTracker track;
  next(track, drive().at(0));
  const PlaneFit fit = next(track, drive().at(1), pitch_and_lift(1, 0));
  EXPECT_EQ(fit.began, PlaneStart::found);
  EXPECT_EQ(fit.w, afresh(drive().at(1)).w);
}

TEST(PlaneTracker, AfterAScanWithoutPointsTheNextIsTrackedOrFound) {
  PlaneTracker track;
  next(track, drive().at(0));
  EXPECT_TRUE(next(track, Scan(drive().at(1).size(), Point{0, 0, 0, 0})).w.empty());
  const PlaneFit fit = next(track, drive().at(2));
  EXPECT_FALSE(fit.finding.suspect());
  EXPECT_LT(recovery_error(fit.w.front(), afresh(drive().at(2)).w.front()), 2e-4);
}

TEST(PlaneTracker, OtherSolversTrackToo) {
  PlaneOptions other = usual();
  other.solver = DestinyOptions{};
  PlaneTracker track;
  for (const Scan& scan : drive()) {
    LocalChannel channel(network());
    const PlaneFit fit = track(channel, clouds_of(scan), other);
    EXPECT_LT(recovery_error(fit.w.front(), afresh(scan).w.front()), 2e-4);
  }
}

TEST(PlaneTracker, ThePapersObjectiveIsRefused) {
  PlaneTracker track;
  LocalChannel channel(network());
  const PlaneOptions l3{VrsgtOptions{}, L3Options{}};
  EXPECT_THROW(track(channel, clouds_of(drive().front()), l3), InputError);
}

}  // namespace
}  // namespace roadplane
