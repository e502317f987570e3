#include "roadplane/viz/overlay.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "roadplane/base/field_error.hpp"
#include "roadplane/evaluation/scoring.hpp"
#include "viz/scene.hpp"

namespace roadplane::viz {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Opaque discs without any text: what remains is the points.
OverlayOptions opaque(OverlayStyle style = OverlayStyle::labels) {
  OverlayOptions options;
  options.style = style;
  options.near_opacity = 1;
  options.far_opacity = 1;
  options.color_key = false;
  return options;
}

Color label_color(bool road) { return Palette(OverlayStyle::labels).looks()[road ? 1 : 0].color; }

TEST(Overlay, DrawsRoadBlueAndTheRestRed) {
  const Scan points = {{10, 2, 0, 0}, {10, -2, 0, 0}};
  const std::vector<std::uint8_t> road = {1, 0};
  const auto overlay = draw_overlay(plain_photo(200, 100, 90), camera(200, 100),
                                    {.points = points, .road = road}, {}, opaque());
  EXPECT_EQ(overlay.points_drawn, 2U);
  const Color left = pixel(overlay.image, 100 - 23, 50);  // 0.58 * 200 * 2 / 10 = 23.2 px
  const Color right = pixel(overlay.image, 100 + 23, 50);
  EXPECT_GT(left.b, left.r);
  EXPECT_GT(right.r, right.b);
}

TEST(Overlay, ChangesNoPixelWhereNoPointIs) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> coordinate(-30, 30);
  for (const auto& [width, height] :
       {std::pair(1, 1), {3, 200}, {200, 3}, {311, 97}, {1242, 375}}) {
    Scan points(60);
    for (Point& p : points) {
      p = {coordinate(generator), coordinate(generator), coordinate(generator) / 10, 0};
    }
    const std::vector<std::uint8_t> road(points.size(), 1);
    const auto projection = camera(width, height);
    const RgbImage photo = plain_photo(width, height, 120);
    const auto overlay =
        draw_overlay(photo, projection, {.points = points, .road = road}, {}, opaque());

    std::vector<bool> allowed(photo.rgb.size() / 3);
    const int reach = 4;  // [px] the largest radius at these sizes, its soft edge and rounding
    std::size_t visible = 0;
    for (const Point& p : points) {
      const auto at = projection.within(p, width, height);
      if (!at) continue;
      ++visible;
      for (int y = static_cast<int>(at->v) - reach; y <= at->v + reach; ++y) {
        for (int x = static_cast<int>(at->u) - reach; x <= at->u + reach; ++x) {
          if (x < 0 || y < 0 || x >= width || y >= height) continue;
          allowed[static_cast<std::size_t>(y) * width + x] = true;
        }
      }
    }
    EXPECT_EQ(overlay.points_drawn, visible);
    for (std::size_t i = 0; i < photo.rgb.size(); ++i) {
      if (!allowed[i / 3]) {
        ASSERT_EQ(overlay.image.rgb[i], photo.rgb[i]) << width << "x" << height << " byte " << i;
      }
    }
  }
}

TEST(Overlay, DrawsNothingBehindTheCameraOrOutsideThePicture) {
  const Scan points = {
      {-10, 0, 0, 0}, {-0.2F, 0, 0, 0}, {5, 50, 0, 0}, {5, 0, 40, 0}, {0, 1, 0, 0}};
  const std::vector<std::uint8_t> road(points.size(), 1);
  const RgbImage photo = plain_photo(300, 100, 50);
  const auto overlay =
      draw_overlay(photo, camera(300, 100), {.points = points, .road = road}, {}, opaque());
  EXPECT_EQ(overlay.points_drawn, 0U);
  EXPECT_EQ(overlay.image.rgb, photo.rgb);
}

TEST(Overlay, DrawsNoUnusedPoints) {
  // A camera 5 m behind the sensor sees the origin, where missing returns lie.
  Eigen::Matrix<double, 3, 4> matrix = camera(300, 100).matrix();
  matrix.col(3) = 5 * matrix.col(0);
  const Scan points = {
      {0, 0, 0, 0}, {kNan, 0, 0, 0}, {5, kNan, 0, 0}, {kInfinity, 0, 0, 0}, {1e30F, 0, 0, 0}};
  const std::vector<std::uint8_t> road(points.size(), 1);
  const RgbImage photo = plain_photo(300, 100, 50);
  const auto overlay =
      draw_overlay(photo, Projection(matrix), {.points = points, .road = road}, {}, opaque());
  EXPECT_EQ(overlay.points_drawn, 0U);
  EXPECT_EQ(overlay.image.rgb, photo.rgb);
}

TEST(Overlay, CutsDiscsOffAtEveryEdge) {
  for (const auto& [width, height] : {std::pair(9, 9), {40, 20}, {1242, 375}}) {
    Scan points;
    for (int i = 0; i <= 40; ++i) {
      const double across = 1.0 * width * i / 40 - width / 2.0;
      const double down = 1.0 * height * i / 40 - height / 2.0;
      const double focal = 0.58 * width;  // as camera() has it
      for (const double side : {-0.4999, 0.4999}) {
        points.push_back({2, static_cast<float>(-2 * across / focal),
                          static_cast<float>(-2 * side * height / focal), 0});
        points.push_back({2, static_cast<float>(-2 * side * width / focal),
                          static_cast<float>(-2 * down / focal), 0});
      }
    }
    const std::vector<std::uint8_t> road(points.size(), 1);
    const auto overlay = draw_overlay(plain_photo(width, height), camera(width, height),
                                      {.points = points, .road = road}, {}, opaque());
    EXPECT_GT(overlay.points_drawn, 100U);
    EXPECT_EQ(pixel(overlay.image, 0, 0), label_color(true));
    // Pixels have their centres at whole numbers, so this disc is centred just outside.
    EXPECT_NE(pixel(overlay.image, width - 1, height - 1), Color{});
  }
}

TEST(Overlay, NearestIsOnTopInAnyOrder) {
  const Point near{5, 0, 0, 0};
  const Point far{5.001F, 0, 0, 0};
  for (const bool near_is_road : {true, false}) {
    for (const bool near_first : {true, false}) {
      const Scan points = near_first ? Scan{near, far} : Scan{far, near};
      const std::vector<std::uint8_t> road = {near_first == near_is_road,
                                              near_first != near_is_road};
      const auto overlay = draw_overlay(plain_photo(1242, 375), camera(1242, 375),
                                        {.points = points, .road = road}, {}, opaque());
      EXPECT_EQ(pixel(overlay.image, 621, 187), label_color(near_is_road)) << near_first;
    }
  }
}

TEST(Overlay, NearPointsAreLargerThanFarOnes) {
  const auto changed_bytes = [](float depth) {
    const Scan points = {{depth, 0, 0, 0}};
    const std::vector<std::uint8_t> road = {1};
    const auto overlay = draw_overlay(plain_photo(1242, 375), camera(1242, 375),
                                      {.points = points, .road = road}, {}, opaque());
    return std::ranges::count_if(overlay.image.rgb, [](int v) { return v != 0; });
  };
  EXPECT_GT(changed_bytes(3), changed_bytes(15));
  EXPECT_GT(changed_bytes(15), changed_bytes(80));
  EXPECT_GT(changed_bytes(1000), 0);
}

TEST(Overlay, ThePhotoShinesThroughByDefault) {
  const Scan points = {{3, 0, 0, 0}};
  const std::vector<std::uint8_t> road = {1};
  const auto overlay = draw_overlay(plain_photo(1242, 375, 255), camera(1242, 375),
                                    {.points = points, .road = road});
  const Color color = pixel(overlay.image, 621, 187);
  EXPECT_GT(color.r, label_color(true).r);
  EXPECT_LT(color.r, 255);
}

TEST(Overlay, TruthStyleGivesEachOfTheFourCasesItsColor) {
  const Palette palette(OverlayStyle::truth);
  for (const std::uint8_t road : {0, 1}) {
    for (const std::uint8_t truth : {0, 1}) {
      const Scan points = {{5, 0, 0, 0}};
      const auto overlay =
          draw_overlay(plain_photo(1242, 375), camera(1242, 375),
                       {.points = points, .road = {&road, 1}, .truth = {&truth, 1}}, {},
                       opaque(OverlayStyle::truth));
      const auto look = palette.looks()[std::size_t{2} * truth + road];
      const Color color = pixel(overlay.image, 621, 187);
      EXPECT_NEAR(color.r, look.color.r * look.opacity, 1.5);
      EXPECT_NEAR(color.g, look.color.g * look.opacity, 1.5);
      EXPECT_NEAR(color.b, look.color.b * look.opacity, 1.5);
      EXPECT_EQ(look.opacity < 1, road == 0 && truth == 0) << "only true negatives are subdued";
    }
  }
  for (std::size_t i = 0; i < palette.looks().size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NE(palette.looks()[i].color, palette.looks()[j].color);
    }
  }
}

TEST(Overlay, WhatNoScoreCountsStepsBackAndIsInTheKeyWhereThereIsSome) {
  const Palette palette(OverlayStyle::truth);
  const Scan points(3, Point{5, 0, 0, 0});
  const std::vector<std::uint8_t> road{1, 1, 0};
  const std::vector<std::uint8_t> truth{kPositive, kLeftOut, kLeftOut};
  const LabelledCloud cloud{points, road, truth, {}};
  EXPECT_LT(palette.looks()[palette.look_of(cloud, 1)].opacity, 0.45);
  EXPECT_LT(palette.looks()[palette.look_of(cloud, 2)].opacity, 0.45);
  EXPECT_EQ(palette.key(cloud).size(), 5U);
  EXPECT_EQ(palette.key(cloud).back().text, "not scored");
  EXPECT_EQ(palette.key({points, road, road, {}}).size(), 4U);
  // Drawn as labels, a truth shows its positives.
  const Palette labels(OverlayStyle::labels);
  EXPECT_EQ(labels.look_of({points, truth, {}, {}}, 0), 1U);
  EXPECT_EQ(labels.look_of({points, truth, {}, {}}, 1), 0U);
}

TEST(Overlay, AnyPictureSizeAndStyle) {
  const Scene scene = make_scene();
  const std::vector<std::string> legend = {"a frame", "a method", std::string(500, 'x'), "",
                                           "\xC3\xA4"};
  for (const auto& [width, height] : {std::pair(1, 1),
                                      {1, 900},
                                      {900, 1},
                                      {5, 4},
                                      {64, 48},
                                      {375, 1242},
                                      {640, 480},
                                      {4000, 3000}}) {
    for (const auto style : {OverlayStyle::labels, OverlayStyle::truth, OverlayStyle::agents}) {
      OverlayOptions options;
      options.style = style;
      const auto overlay = draw_overlay(plain_photo(width, height, 99), camera(width, height),
                                        scene.cloud(), legend, options);
      EXPECT_EQ(overlay.image.width, width);
      EXPECT_EQ(overlay.image.height, height);
      EXPECT_EQ(overlay.image.rgb.size(), std::size_t{3} * width * height);
    }
  }
}

TEST(Overlay, TheLegendIsABoxInTheCornerOrIsLeftOut) {
  const std::vector<std::string> legend = {"frame 1", "VRSGT", "F1 0.95"};
  const LabelledCloud nothing;
  for (const auto& [width, height] : {std::pair(20, 20), {1242, 375}, {4000, 3000}}) {
    const auto overlay =
        draw_overlay(plain_photo(width, height, 99), camera(width, height), nothing, legend);
    EXPECT_EQ(overlay.points_drawn, 0U);
    std::size_t changed = 0;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        if (pixel(overlay.image, x, y) == Color{99, 99, 99}) continue;
        ++changed;
        ASSERT_TRUE(x < 0.3 * width && y < 0.4 * height) << x << " " << y;
      }
    }
    EXPECT_EQ(changed > 0, width > 100);
  }
}

TEST(Overlay, RefusesWhatDoesNotFit) {
  const Scan points(3, Point{5, 0, 0, 0});
  const std::vector<std::uint8_t> three(3);
  const std::vector<std::uint8_t> two(2);
  const std::vector<std::uint16_t> owners(2);
  const auto photo = plain_photo(10, 10);
  const auto draw = [&](const LabelledCloud& cloud, OverlayStyle style) {
    draw_overlay(photo, camera(10, 10), cloud, {}, opaque(style));
  };
  const auto labels = OverlayStyle::labels;
  EXPECT_THROW(draw({.points = points, .road = two}, labels), std::invalid_argument);
  EXPECT_THROW(draw({.points = points, .road = three, .truth = two}, labels),
               std::invalid_argument);
  EXPECT_THROW(draw({.points = points, .road = three}, OverlayStyle::truth), std::invalid_argument);
  EXPECT_THROW(draw({.points = points, .road = three}, OverlayStyle::agents),
               std::invalid_argument);
  EXPECT_THROW(draw({.points = points, .road = three, .owner = owners}, OverlayStyle::agents),
               std::invalid_argument);
  EXPECT_THROW(draw_overlay({}, camera(10, 10), {}), std::invalid_argument);
  EXPECT_THROW(draw_overlay({10, 10, {1, 2, 3}}, camera(10, 10), {}), std::invalid_argument);
}

TEST(Overlay, OptionsNameTheBadField) {
  OverlayOptions options;
  options.far_opacity = std::nan("");
  try {
    draw_overlay(plain_photo(10, 10), camera(10, 10), {}, {}, options);
    FAIL() << "accepted";
  } catch (const FieldError& error) {
    EXPECT_STREQ(error.what(), "far_opacity: expected 0 to 1, found nan");
  }
}

TEST(OverlayStyle, NamesGoThereAndBack) {
  for (const auto style : {OverlayStyle::labels, OverlayStyle::truth, OverlayStyle::agents}) {
    EXPECT_EQ(overlay_style_from_string(to_string(style)), style);
  }
  EXPECT_THROW(overlay_style_from_string("rainbow"), FieldError);
}

}  // namespace
}  // namespace roadplane::viz
