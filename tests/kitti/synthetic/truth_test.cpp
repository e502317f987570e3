#include <gtest/gtest.h>

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
