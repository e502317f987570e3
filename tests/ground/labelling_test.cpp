#include "roadplane/ground/labelling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "roadplane/base/input_error.hpp"
#include "roadplane/geometry/plane.hpp"
#include "roadplane/ground/target.hpp"
#include "support/random_data.hpp"

namespace roadplane {
namespace {

const Plane kRoad{Eigen::Vector3d(0.02, -0.01, 1).normalized(), 1.7};

TEST(Labelling, ResidualsAreThePlanesDistancesWhicheverWayItFaces) {
  const Scan scan = test::random_scan(500, 1);
  const PointLabels angle =
      label_points(scan, 3 * kRoad.hyperplane(), {0.011, ResidualUnit::angle});
  const PointLabels metres = label_points(scan, -kRoad.hyperplane(), {0.1, ResidualUnit::metres});
  for (std::size_t k = 0; k < scan.size(); ++k) {
    EXPECT_NEAR(std::abs(angle.residuals[k]), kRoad.angular_residual(scan[k]), 1e-6);
    EXPECT_EQ(angle.residuals[k] < 0, kRoad.signed_distance_m(scan[k]) < 0);
    EXPECT_NEAR(metres.residuals[k], kRoad.signed_distance_m(scan[k]), 2e-5);
    EXPECT_EQ(metres.road[k], std::abs(metres.residuals[k]) <= 0.1F ? 1 : 0);
  }
}

TEST(Labelling, EveryPointIsLabelledOnceAndUnusableOnesAreNotRoad) {
  Scan scan = test::random_scan(100, 1);
  scan[3] = {NAN, 0, 0, 0};
  scan[4] = {0, 0, 0, 0};
  scan[5] = {INFINITY, 0, 0, 0};
  scan[6] = {1e30F, 0, 0, 0};
  for (const ResidualUnit unit : {ResidualUnit::angle, ResidualUnit::metres}) {
    const PointLabels labels = label_points(scan, kRoad.hyperplane(), {1e6, unit});
    ASSERT_EQ(labels.road.size(), 100U);
    EXPECT_EQ(labels.count(), 96U);
    for (const int k : {3, 4, 5, 6}) EXPECT_EQ(labels.road[k], 0);
  }
}

TEST(Labelling, EveryAgentLabelsItsOwnPointsWithItsOwnPlane) {
  const Scan scan = test::random_scan(5000, 2);
  const Threshold threshold{0.5, ResidualUnit::metres};
  for (const ShardKind kind : {ShardKind::azimuth, ShardKind::interleaved}) {
    const Shards shards = make_shards(scan, kind, 3);
    std::vector<Eigen::Vector4d> planes;
    std::vector<PointLabels> alone;
    for (int i = 0; i < 3; ++i) {
      planes.push_back(Plane{kRoad.normal, 1.5 + 0.2 * i}.hyperplane());
      alone.push_back(label_points(scan, planes.back(), threshold));
    }
    const PointLabels labels = label_points(scan, shards, planes, threshold);
    const auto owner = owners(shards);
    for (std::size_t k = 0; k < scan.size(); ++k) {
      ASSERT_EQ(labels.residuals[k], alone[owner[k]].residuals[k]);
      ASSERT_EQ(labels.road[k], alone[owner[k]].road[k]);
    }
  }
}

TEST(Labelling, IsTheSameWhereNobodyWantsTheResiduals) {
  const Scan scan = test::random_scan(5003, 2);
  const std::vector<Eigen::Vector4d> planes(3, kRoad.hyperplane());
  for (const Threshold threshold :
       {Threshold{0.5, ResidualUnit::metres}, Threshold{0.05, ResidualUnit::angle}}) {
    for (const ShardKind kind : {ShardKind::azimuth, ShardKind::contiguous, ShardKind::random}) {
      const Shards shards = make_shards(scan, kind, 3, 1);
      const PointLabels kept = label_points(scan, shards, planes, threshold);
      const PointLabels labels = label_points(scan, shards, planes, threshold, Residuals::left_out);
      EXPECT_TRUE(labels.residuals.empty());
      EXPECT_EQ(labels.road, kept.road);
      EXPECT_EQ(kept.count(), std::count(kept.road.begin(), kept.road.end(), 1));
    }
  }
}

TEST(Threshold, ParsesAnglesAndDistances) {
  EXPECT_EQ(Threshold::parse("0.011rad").value, 0.011);
  EXPECT_EQ(Threshold::parse("0.011rad").unit, ResidualUnit::angle);
  EXPECT_NEAR(Threshold::parse("0.6deg").value, 0.6 * M_PI / 180, 1e-15);
  EXPECT_EQ(Threshold::parse("0.15m").unit, ResidualUnit::metres);
  EXPECT_NEAR(Threshold::parse("15cm").value, 0.15, 1e-15);
  for (const char* text : {"0.011rad", "0.15m"}) {
    EXPECT_EQ(Threshold::parse(text).to_string(), text);
  }
  for (const char* text : {"", "0.1", "m", "-1m", "0rad", "2rad", "90deg", "11m", "1100cm", "nanm",
                           "0.1ft", "0.1m "}) {
    EXPECT_THROW(Threshold::parse(text), InputError) << text;
  }
}

TEST(Target, DecidesOnThePlaneAndTheThreshold) {
  EXPECT_EQ(plane_sought(Target::plane), PlaneSought::dominant);
  EXPECT_EQ(plane_sought(Target::road), PlaneSought::lowest);
  EXPECT_EQ(plane_sought(Target::ground), PlaneSought::lowest);
  EXPECT_EQ(default_threshold(Target::plane).to_string(), "0.011rad");
  EXPECT_EQ(default_threshold(Target::road).to_string(), "0.125m");
  EXPECT_EQ(default_threshold(Target::ground).to_string(), "0.3m");
  for (const char* name : {"plane", "road", "ground"}) {
    EXPECT_EQ(to_string(target_from_string(name)), name);
  }
  EXPECT_THROW(target_from_string("pavement"), InputError);
}

TEST(PointLabels, AreCountedHoweverManyThereAre) {
  for (const std::size_t points : {0U, 7U, 8U, 2040U, 2051U, 100'003U}) {
    PointLabels labels(points, Residuals::left_out);
    std::fill(labels.road.begin(), labels.road.end(), std::uint8_t{1});
    EXPECT_EQ(labels.count(), points);
    for (std::size_t k = 0; k < points; k += 3) labels.road[k] = 0;
    EXPECT_EQ(labels.count(), points - (points + 2) / 3);
  }
}

}  // namespace
}  // namespace roadplane
