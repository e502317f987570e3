#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "roadplane/dpcp/spectrum.hpp"
#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/geometry/projection.hpp"
#include "roadplane/kitti/synthetic/scene.hpp"

namespace roadplane::kitti {
namespace {

bool is_road(std::uint32_t label) { return label == 40 || label == 44 || label == 60; }

/// Total least squares on the homogeneous coordinates of the road points.
Plane fitted_road(const SyntheticFrame& frame) {
  std::vector<std::uint32_t> road;
  for (std::uint32_t i = 0; i < frame.labels.size(); ++i) {
    if (is_road(frame.labels[i])) road.push_back(i);
  }
  HomogeneousCloud cloud;
  cloud.assign(frame.points, road);
  const Spectrum spectrum(cloud.second_moment(), static_cast<double>(cloud.size()));
  return Plane::from_hyperplane(spectrum.smallest()).value();
}

TEST(SyntheticTruth, WithoutNoiseThePlaneIsExact) {
  SceneOptions options;
  options.points_per_frame = 20000;
  options.roughness_m = 0;
  options.range_noise_m = 0;
  options.slope_deg = 3;
  options.cross_slope_deg = -2;
  const SyntheticScene scene(options);
  for (const int index : {0, 9, 100}) {
    const SyntheticFrame frame = scene.frame(index);
    const Plane fitted = fitted_road(frame);
    EXPECT_LT((fitted.normal - frame.road.normal).norm(), 1e-6);
    EXPECT_NEAR(fitted.offset_m, frame.road.offset_m, 1e-5);
  }
}

TEST(SyntheticTruth, WithNoiseLeastSquaresFindsThePlaneToWithinIt) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    SceneOptions options;
    options.seed = seed;
    options.points_per_frame = 40000;
    options.outlier_share = 0.7;
    const SyntheticFrame frame = SyntheticScene(options).frame(4);
    const Plane fitted = fitted_road(frame);
    EXPECT_LT((fitted.normal - frame.road.normal).norm(), 1e-3) << seed;
    EXPECT_NEAR(fitted.offset_m, frame.road.offset_m, 0.003) << seed;
  }
}

/// [m] by which points of those classes are above the road plane at `across_m` from its middle.
double height_beside(const SyntheticFrame& frame, std::uint32_t label, double from_m, double to_m) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < frame.points.size(); ++i) {
    const Point& p = frame.points[i];
    const double aside_m = std::abs(p.y - 1.6F);  // the vehicle drives 1.6 m off the middle
    if (frame.labels[i] != label || std::hypot(p.x, p.y) > 25) continue;
    if (aside_m < from_m || aside_m > to_m) continue;
    sum += frame.road.signed_distance_m(p);
    ++count;
  }
  return count > 10 ? sum / count : std::nan("");
}

SceneOptions exact_street() {
  SceneOptions options;
  options.points_per_frame = 40000;
  options.roughness_m = options.range_noise_m = 0;
  options.slope_deg = options.cross_slope_deg = 0;
  return options;
}

TEST(SyntheticTruth, KerbsAreAsHighAsAskedFor) {
  for (const double kerb_m : {0.0, 0.05, 0.13, 0.15}) {
    SceneOptions options = exact_street();
    options.kerb_height_m = kerb_m;
    const SyntheticFrame frame = SyntheticScene(options).frame(0);
    EXPECT_NEAR(height_beside(frame, 48, 0, 100), kerb_m + 0.02, 0.03) << kerb_m;
    EXPECT_LT(std::abs(height_beside(frame, 40, 0, 100)), 0.002);
  }
}

TEST(SyntheticTruth, AVergeLiesBetweenKerbAndSidewalk) {
  SceneOptions options = exact_street();
  options.verge_width_m = 2;
  const SyntheticFrame frame = SyntheticScene(options).frame(0);
  double widest_road_m = 0;
  int grass = 0, paving = 0;
  const auto aside_m = [](const Point& p) { return std::abs(p.y - 1.6); };
  for (std::size_t i = 0; i < frame.points.size(); ++i) {
    const bool near = std::abs(frame.points[i].x) < 20 && is_road(frame.labels[i]);
    if (near) widest_road_m = std::max(widest_road_m, aside_m(frame.points[i]));
  }
  for (std::size_t i = 0; i < frame.points.size(); ++i) {
    const double beyond_m = aside_m(frame.points[i]) - widest_road_m;
    if (std::abs(frame.points[i].x) > 20 || beyond_m < 0.6 || beyond_m > 1.3) continue;
    grass += frame.labels[i] == 72 ? 1 : 0;
    paving += frame.labels[i] == 48 ? 1 : 0;
  }
  EXPECT_GT(grass, 100);
  EXPECT_EQ(paving, 0);
}

TEST(SyntheticTruth, DrivewaysLeadOverLoweredKerbs) {
  SceneOptions options = exact_street();
  options.driveways = true;
  const SyntheticFrame with = SyntheticScene(options).frame(0);
  options.driveways = false;
  const SyntheticFrame without = SyntheticScene(options).frame(0);
  const auto low_paving = [](const SyntheticFrame& frame) {
    int count = 0;
    for (std::size_t i = 0; i < frame.points.size(); ++i) {
      const double height_m = frame.road.signed_distance_m(frame.points[i]);
      count += frame.labels[i] == 48 && height_m > 0.015 && height_m < 0.06 ? 1 : 0;
    }
    return count;
  };
  EXPECT_GT(low_paving(with), low_paving(without) + 30);
}

TEST(SyntheticTruth, SidewalksReflectAsAskedFor) {
  SceneOptions options = exact_street();
  const auto mean = [](const SyntheticFrame& frame) {
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < frame.points.size(); ++i) {
      const Point& p = frame.points[i];
      if (frame.labels[i] != 48 || frame.road.signed_distance_m(p) < 0.135) continue;
      sum += p.reflectance;
      ++count;
    }
    return sum / count;
  };
  const double usual = mean(SyntheticScene(options).frame(0));
  options.sidewalk_reflectance = 0.66;
  EXPECT_NEAR(mean(SyntheticScene(options).frame(0)) / usual, 2, 0.1);
}

/// LiDAR and camera must show the same street: every road return falls on a pixel of the lower
/// half, and that pixel is grey there, or white paint.
TEST(SyntheticTruth, RoadPointsFallOnRoadPixels) {
  SceneOptions options;
  options.points_per_frame = 20000;
  const SyntheticScene scene(options);
  const SyntheticFrame frame = scene.frame(2);
  const RgbImage picture = scene.picture(2);
  const SyntheticCalibration calibration = SyntheticScene::calibration();
  ASSERT_EQ(picture.width, calibration.width);
  ASSERT_EQ(picture.height, calibration.height);
  ASSERT_EQ(picture.rgb.size(), std::size_t{3} * 1241 * 376);
  const Projection project(calibration.lidar_to_pixel());
  int road = 0;
  int lower_half = 0;
  int grey = 0;
  double paint_brightness = 0;
  double asphalt_brightness = 0;
  int paint = 0;
  for (std::size_t i = 0; i < frame.points.size(); ++i) {
    const auto pixel = project.within(frame.points[i], picture.width, picture.height);
    if (!pixel || !is_road(frame.labels[i]) || pixel->depth_m > 30) continue;
    ++road;
    if (pixel->v > picture.height / 2.0) ++lower_half;
    const std::uint8_t* rgb = picture.pixel(static_cast<int>(pixel->u), static_cast<int>(pixel->v));
    if (std::abs(rgb[0] - rgb[1]) < 30 && std::abs(rgb[1] - rgb[2]) < 40) ++grey;
    (frame.labels[i] == 60 ? paint_brightness : asphalt_brightness) += rgb[1];
    if (frame.labels[i] == 60) ++paint;
  }
  ASSERT_GT(road, 500);
  ASSERT_GT(paint, 20);
  EXPECT_EQ(lower_half, road);
  EXPECT_GT(grey, 0.95 * road);
  EXPECT_GT(paint_brightness / paint, 40 + asphalt_brightness / (road - paint));
}

}  // namespace
}  // namespace roadplane::kitti
