// Compares pictures with those in tests/golden. After a change that is meant to be seen: look at
// the new pictures, which `ROADPLANE_UPDATE_GOLDEN=1 ctest -R Golden` writes over the old ones.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "roadplane/viz/birds_eye.hpp"
#include "roadplane/viz/image_file.hpp"
#include "roadplane/viz/overlay.hpp"
#include "viz/scene.hpp"

namespace roadplane::viz {
namespace {

/// Room for rounding and for OpenCV's text to change a little; a shift by half a pixel is more.
constexpr double kTolerance = 0.4;

const std::vector<std::string> kLegend = {"scene 7", "VRSGT, 18 agents", "error 1.2e-03"};

/// Sky above, a brighter road below.
RgbImage made_up_photo(int width, int height) {
  RgbImage photo = plain_photo(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      std::uint8_t* rgb = photo.rgb.data() + 3 * (std::size_t{1} * y * width + x);
      const bool sky = y < height / 2;
      rgb[0] = static_cast<std::uint8_t>(sky ? 120 : 95);
      rgb[1] = static_cast<std::uint8_t>(sky ? 150 : 95);
      rgb[2] = static_cast<std::uint8_t>(sky ? 190 : 98);
    }
  }
  return photo;
}

double mean_difference(const RgbImage& a, const RgbImage& b) {
  if (a.width != b.width || a.height != b.height) return 255;
  double sum = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) sum += std::abs(a.rgb[i] - b.rgb[i]);
  return sum / static_cast<double>(a.rgb.size());
}

std::filesystem::path golden(const std::string& name) {
  return std::filesystem::path(ROADPLANE_GOLDEN_DIR) / (name + ".png");
}

void expect_golden(const std::string& name, const RgbImage& image) {
  if (std::getenv("ROADPLANE_UPDATE_GOLDEN") != nullptr) {
    write_png(golden(name), image);
    GTEST_SKIP() << "wrote " << golden(name);
  }
  EXPECT_LE(mean_difference(read_image(golden(name)), image), kTolerance) << name;
}

RgbImage overlay(const Scene& scene, OverlayStyle style) {
  OverlayOptions options;
  options.style = style;
  return draw_overlay(made_up_photo(400, 170), camera(400, 170), scene.cloud(), kLegend, options)
      .image;
}

RgbImage birds_eye(const Scene& scene, OverlayStyle style) {
  BirdsEyeOptions options;
  options.style = style;
  options.size_px = 280;
  options.range_m = 25;
  return draw_birds_eye(scene.cloud(), kLegend, options).image;
}

TEST(Golden, OverlayLabels) {
  expect_golden("overlay_labels", overlay(make_scene(), OverlayStyle::labels));
}

TEST(Golden, OverlayTruth) {
  expect_golden("overlay_truth", overlay(make_scene(), OverlayStyle::truth));
}

TEST(Golden, BirdsEyeLabels) {
  expect_golden("birds_eye_labels", birds_eye(make_scene(), OverlayStyle::labels));
}

TEST(Golden, BirdsEyeTruth) {
  expect_golden("birds_eye_truth", birds_eye(make_scene(), OverlayStyle::truth));
}

TEST(Golden, BirdsEyeAgents) {
  expect_golden("birds_eye_agents", birds_eye(make_scene(), OverlayStyle::agents));
}

TEST(Golden, TheToleranceSeesARealChange) {
  const Scene scene = make_scene();
  Scene shifted = scene;
  for (Point& point : shifted.points) point.z += 0.02F;  // about half a pixel
  Scene relabelled = scene;
  for (std::size_t i = 0; i < scene.road.size(); i += 2) relabelled.road[i] ^= 1;
  const RgbImage picture = overlay(scene, OverlayStyle::labels);
  EXPECT_GT(mean_difference(picture, overlay(shifted, OverlayStyle::labels)), kTolerance);
  EXPECT_GT(mean_difference(picture, overlay(relabelled, OverlayStyle::labels)), kTolerance);
}

}  // namespace
}  // namespace roadplane::viz
