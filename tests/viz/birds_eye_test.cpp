#include "roadplane/viz/birds_eye.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <stdexcept>

#include "roadplane/base/field_error.hpp"
#include "viz/scene.hpp"

namespace roadplane::viz {
namespace {

BirdsEyeOptions without_key(OverlayStyle style = OverlayStyle::labels) {
  BirdsEyeOptions options;
  options.style = style;
  options.color_key = false;
  return options;
}

TEST(BirdsEye, ForwardIsUpAndLeftIsLeft) {
  const Scan points = {{20, 10, -1.7F, 0}};
  const std::vector<std::uint8_t> road = {1};
  const auto picture = draw_birds_eye({.points = points, .road = road}, {}, without_key());
  EXPECT_EQ(picture.points_drawn, 1U);
  const Color color = pixel(picture.image, 350, 250);  // 10 px a metre from (450, 450)
  EXPECT_GT(color.b, 150);
}

TEST(BirdsEye, DrawsOnlyUsedPointsInRange) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const Scan points = {{0, 0, 0, 0},  {kNan, 1, 1, 0}, {1, 1, kNan, 0},
                       {46, 0, 0, 0}, {0, -46, 0, 0},  {44, 0, 0, 0}};
  const std::vector<std::uint8_t> road(points.size(), 1);
  EXPECT_EQ(draw_birds_eye({.points = points, .road = road}).points_drawn, 1U);
}

TEST(BirdsEye, HighPointsAreDarkerAndNeverHideTheRoad) {
  const auto red_at = [](float z) {
    const Scan points = {{20, 10, z, 0}};
    const std::vector<std::uint8_t> road = {0};
    return pixel(draw_birds_eye({.points = points, .road = road}, {}, without_key()).image, 350,
                 250)
        .r;
  };
  EXPECT_GT(red_at(-1.5F), red_at(0));
  EXPECT_GT(red_at(0), red_at(2.5F));
  EXPECT_EQ(red_at(3), red_at(1e6F));

  for (const bool road_first : {true, false}) {
    const Point ground{20, 10, -1.7F, 0};
    const Point tree{20, 10, 2, 0};
    const Scan points = road_first ? Scan{ground, tree} : Scan{tree, ground};
    const std::vector<std::uint8_t> road = {road_first, !road_first};
    const auto picture = draw_birds_eye({.points = points, .road = road}, {}, without_key());
    EXPECT_GT(pixel(picture.image, 350, 250).b, 150);
  }
}

TEST(BirdsEye, AgentsHaveColorsOfTheirOwn) {
  const Palette palette(OverlayStyle::agents);
  const Scan points(Palette::kAgentColors + 1, Point{20, 10, -1.7F, 0});
  std::vector<std::uint8_t> road(points.size(), 1);
  std::vector<std::uint16_t> owner(points.size());
  for (std::size_t i = 0; i < owner.size(); ++i) owner[i] = static_cast<std::uint16_t>(i);
  road.back() = 0;
  const LabelledCloud cloud{.points = points, .road = road, .owner = owner};

  std::set<std::array<int, 3>> colors;
  for (std::size_t i = 0; i < Palette::kAgentColors; ++i) {
    const Color color = palette.color_of(cloud, i);
    colors.insert({color.r, color.g, color.b});
  }
  EXPECT_EQ(colors.size(), std::size_t{Palette::kAgentColors});
  // Agent 16 has agent 0's colour, and what it holds besides road is darker.
  EXPECT_LT(palette.color_of(cloud, Palette::kAgentColors).r, palette.color_of(cloud, 0).r);
}

TEST(BirdsEye, UpTo1024Agents) {
  Scene scene = make_scene();
  for (std::size_t i = 0; i < scene.owner.size(); ++i) {
    scene.owner[i] = static_cast<std::uint16_t>(i % 1024);
  }
  const auto picture =
      draw_birds_eye(scene.cloud(), {"1024 agents"}, {.style = OverlayStyle::agents});
  EXPECT_GT(picture.points_drawn, 1000U);
}

TEST(BirdsEye, AnySizeStyleAndAnEmptyCloud) {
  const Scene scene = make_scene();
  for (const int size : {1, 2, 40, 900, 3000}) {
    for (const auto style : {OverlayStyle::labels, OverlayStyle::truth, OverlayStyle::agents}) {
      BirdsEyeOptions options;
      options.style = style;
      options.size_px = size;
      EXPECT_EQ(draw_birds_eye(scene.cloud(), {"a frame"}, options).image.rgb.size(),
                std::size_t{3} * size * size);
      EXPECT_EQ(draw_birds_eye({}, {"nothing"}, options).points_drawn, 0U);
    }
  }
}

TEST(BirdsEye, RefusesWhatDoesNotFit) {
  const Scan points(2, Point{1, 1, 1, 0});
  const std::vector<std::uint8_t> one(1);
  EXPECT_THROW(draw_birds_eye({.points = points, .road = one}), std::invalid_argument);
  EXPECT_THROW(draw_birds_eye({}, {}, {.size_px = 0}), FieldError);
  EXPECT_THROW(draw_birds_eye({}, {}, {.range_m = -1}), FieldError);
  EXPECT_THROW(draw_birds_eye({}, {}, {.ring_step_m = 0}), FieldError);
}

}  // namespace
}  // namespace roadplane::viz
