#include "roadplane/kitti/synthetic/scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <numbers>
#include <set>

#include "roadplane/base/input_error.hpp"

namespace roadplane::kitti {
namespace {

// Enough for a share to be right within 0.01, few enough for a debug build.
SceneOptions small_scene() {
  SceneOptions options;
  options.points_per_frame = 12000;
  return options;
}

SyntheticFrame frame_of(const SceneOptions& options, int index = 0) {
  return SyntheticScene(options).frame(index);
}

double share(const SyntheticFrame& frame, std::initializer_list<std::uint32_t> labels) {
  const auto count = std::count_if(frame.labels.begin(), frame.labels.end(), [&](std::uint32_t l) {
    return std::find(labels.begin(), labels.end(), l) != labels.end();
  });
  return static_cast<double>(count) / static_cast<double>(frame.labels.size());
}

double road_share(const SyntheticFrame& frame) { return share(frame, {40, 44, 60}); }

/// Standard deviation of the road points' distance from the exact plane.
double road_deviation_m(const SyntheticFrame& frame) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < frame.points.size(); ++i) {
    if (frame.labels[i] != 40) continue;
    const double distance = frame.road.signed_distance_m(frame.points[i]);
    sum += distance * distance;
    ++count;
  }
  return std::sqrt(sum / count);
}

TEST(SyntheticScene, SameSeedSameBytes) {
  const SyntheticScene scene(small_scene());
  const SyntheticFrame later =
      scene.frame(5);  // frames do not depend on the order they are made in
  const SyntheticFrame first = scene.frame(0);
  EXPECT_EQ(first.points, frame_of(small_scene(), 0).points);
  EXPECT_EQ(later.points, frame_of(small_scene(), 5).points);
  EXPECT_EQ(later.labels, frame_of(small_scene(), 5).labels);
  EXPECT_EQ(later.road.normal, frame_of(small_scene(), 5).road.normal);
}

TEST(SyntheticScene, AnotherSeedIsAnotherStreet) {
  SceneOptions options = small_scene();
  const SyntheticFrame first = frame_of(options);
  options.seed = 2;
  EXPECT_NE(first.points, frame_of(options).points);
}

TEST(SyntheticScene, DefaultHasAboutAsManyReturnsAsKitti) {
  const SyntheticFrame frame = frame_of(SceneOptions{});
  EXPECT_NEAR(static_cast<double>(frame.points.size()), 120000, 12000);
  EXPECT_EQ(frame.labels.size(), frame.points.size());
}

TEST(SyntheticScene, PointsKnob) {
  for (const int points : {1000, 5000, 40000}) {
    SceneOptions options;
    options.points_per_frame = points;
    EXPECT_NEAR(static_cast<double>(frame_of(options, 3).points.size()), points, 0.1 * points);
  }
}

TEST(SyntheticScene, KnowsItsClasses) {
  const std::set<std::uint32_t> known{10, 30, 40, 44, 48, 49, 50, 51, 60, 70, 71, 72, 80, 252};
  std::map<std::uint32_t, int> found;
  const SyntheticScene scene(small_scene());
  for (const int index : {0, 30, 60}) {
    for (const std::uint32_t label : scene.frame(index).labels) ++found[label];
  }
  for (const auto& [label, count] : found) EXPECT_TRUE(known.contains(label)) << label;
  for (const std::uint32_t label : {10U, 40U, 44U, 48U, 50U, 60U, 70U, 71U, 72U, 80U, 252U}) {
    EXPECT_GT(found[label], 0) << label;
  }
}

TEST(SyntheticScene, OutlierShareKnob) {
  for (const double wanted : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    SceneOptions options = small_scene();
    options.outlier_share = wanted;
    const SyntheticScene scene(options);
    for (const int index : {0, 40}) {
      EXPECT_NEAR(1 - road_share(scene.frame(index)), wanted, 0.03) << wanted << " in " << index;
    }
  }
}

TEST(SyntheticScene, SecondPlaneKnob) {
  EXPECT_EQ(share(frame_of(small_scene()), {49}), 0);
  for (const double wanted : {0.1, 0.3, 0.5}) {
    SceneOptions options = small_scene();
    options.second_plane_share = wanted;
    options.second_plane_height_m = 0.6;
    const SyntheticFrame frame = frame_of(options);
    EXPECT_NEAR(share(frame, {49}), wanted, 0.03);
    EXPECT_NEAR(1 - road_share(frame), options.outlier_share, 0.03);
    int level = 0;
    int platform = 0;
    for (std::size_t i = 0; i < frame.points.size(); ++i) {
      if (frame.labels[i] != 49) continue;
      ++platform;
      if (std::abs(frame.road.signed_distance_m(frame.points[i]) - 0.6) < 0.05) ++level;
    }
    EXPECT_GT(level, 0.98 * platform);
  }
}

TEST(SyntheticScene, SlopeKnobsTiltThePlane) {
  constexpr double kDegree = std::numbers::pi / 180;
  for (const double slope : {-5.0, 0.0, 5.0}) {
    for (const double cross : {-3.0, 4.0}) {
      SceneOptions options = small_scene();
      options.slope_deg = slope;
      options.cross_slope_deg = cross;
      const Plane road = frame_of(options).road;
      // The vehicle adds at most 0.35 deg of nodding and swaying, and 0.5 deg of yaw.
      EXPECT_NEAR(std::atan2(-road.normal.x(), road.normal.z()), slope * kDegree, 0.45 * kDegree);
      EXPECT_NEAR(std::atan2(-road.normal.y(), road.normal.z()), cross * kDegree, 0.45 * kDegree);
      EXPECT_NEAR(road.offset_m, 1.73, 0.02);
    }
  }
}

TEST(SyntheticScene, RoughnessKnob) {
  for (const double roughness : {0.0, 0.01, 0.03}) {
    SceneOptions options = small_scene();
    options.range_noise_m = 0;
    options.roughness_m = roughness;
    EXPECT_NEAR(road_deviation_m(frame_of(options)), roughness, 0.1 * roughness + 1e-5);
  }
}

TEST(SyntheticScene, RangeNoiseActsAlongTheRay) {
  SceneOptions options = small_scene();
  options.roughness_m = 0;
  options.range_noise_m = 0.1;
  const SyntheticFrame frame = frame_of(options);
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < frame.points.size(); ++i) {
    if (frame.labels[i] != 40) continue;
    const Point& p = frame.points[i];
    const Eigen::Vector3d direction = Eigen::Vector3d(p.x, p.y, p.z).normalized();
    const double along = frame.road.signed_distance_m(p) / frame.road.normal.dot(direction);
    sum += along * along;
    ++count;
  }
  EXPECT_NEAR(std::sqrt(sum / count), 0.1, 0.005);
}

TEST(SyntheticScene, DropOutLosesFiringsNotPoints) {
  SceneOptions options = small_scene();
  options.drop_out = 0;
  const SyntheticFrame all = frame_of(options);
  options.drop_out = 0.5;
  const SyntheticFrame half = frame_of(options);
  EXPECT_NEAR(half.azimuth_steps, 2 * all.azimuth_steps, 0.02 * half.azimuth_steps);
  EXPECT_NEAR(static_cast<double>(half.points.size()), static_cast<double>(all.points.size()),
              0.05 * static_cast<double>(all.points.size()));
}

TEST(SyntheticScene, PointsComeRingByRingAndCounterClockwise) {
  const SyntheticFrame frame = frame_of(small_scene());
  std::set<int> elevations;
  double last_elevation = 90;
  double last_azimuth = 0;
  for (const Point& p : frame.points) {
    const double elevation = std::atan2(p.z, std::hypot(p.x, p.y)) * 180 / std::numbers::pi;
    double azimuth = std::atan2(p.y, p.x);
    if (azimuth < 0) azimuth += 2 * std::numbers::pi;
    ASSERT_LT(elevation, last_elevation + 1e-3);
    if (elevation > last_elevation - 1e-3) {
      ASSERT_GT(azimuth, last_azimuth);
    } else {
      elevations.insert(static_cast<int>(std::lround(elevation * 100)));
    }
    last_elevation = elevation;
    last_azimuth = azimuth;
  }
  EXPECT_EQ(elevations.size(), 64U);
  EXPECT_EQ(*elevations.rbegin(), 200);
  EXPECT_EQ(*elevations.begin(), -2433);
}

TEST(SyntheticScene, PointsAreUsable) {
  for (const Point& p : frame_of(small_scene()).points) {
    const double range = std::hypot(p.x, p.y, p.z);
    ASSERT_GT(range, 0.5);
    ASSERT_LT(range, 85);
    ASSERT_GE(p.reflectance, 0);
    ASSERT_LT(p.reflectance, 1);
  }
}

TEST(SyntheticScene, TheVehicleMovesAndThePlaneWithIt) {
  const SyntheticScene scene(small_scene());
  const Plane first = scene.frame(0).road;
  const Plane later = scene.frame(7).road;
  EXPECT_GT((first.normal - later.normal).norm(), 1e-4);
  SceneOptions parked = small_scene();
  parked.speed_mps = 0;
  EXPECT_NE(frame_of(parked, 7).points, scene.frame(7).points);
}

TEST(SyntheticScene, RefusesANegativeFrame) {
  const SyntheticScene scene(small_scene());
  EXPECT_THROW(scene.frame(-1), InputError);
  EXPECT_THROW(scene.picture(-1), InputError);
}

}  // namespace
}  // namespace roadplane::kitti
