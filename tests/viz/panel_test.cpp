#include "roadplane/viz/panel.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "roadplane/base/field_error.hpp"
#include "scene.hpp"

namespace roadplane::viz {
namespace {

TEST(Panel, PicturesStandInRowsBelowTheirTitles) {
  const std::vector<PanelTile> tiles{{"one", plain_photo(200, 60, 50)},
                                     {"two", plain_photo(200, 60, 100)},
                                     {"three", plain_photo(200, 60, 150)}};
  const RgbImage panel = draw_panel(tiles, {.columns = 2, .tile_width_px = 100});
  EXPECT_GT(panel.width, 200);
  EXPECT_LT(panel.width, 220);
  EXPECT_GT(panel.height, 2 * 30);
  const auto level = [&](double x, double y) {
    return pixel(panel, static_cast<int>(x * panel.width), static_cast<int>(y * panel.height)).r;
  };
  EXPECT_EQ(level(0.25, 0.45), 50);
  EXPECT_EQ(level(0.75, 0.45), 100);
  EXPECT_EQ(level(0.25, 0.95), 150);
  EXPECT_LT(level(0.75, 0.95), 50);  // nothing there
  int bright = 0;                    // the first title's letters
  for (int y = 0; y < panel.height / 4; ++y) {
    for (int x = 0; x < panel.width / 2; ++x) bright += pixel(panel, x, y).r > 180 ? 1 : 0;
  }
  EXPECT_GT(bright, 10);
}

TEST(Panel, PicturesThatDoNotFitAreRefused) {
  EXPECT_THROW(draw_panel({}), std::invalid_argument);
  const std::vector<PanelTile> sizes{{"", plain_photo(20, 10)}, {"", plain_photo(21, 10)}};
  EXPECT_THROW(draw_panel(sizes), std::invalid_argument);
  const std::vector<PanelTile> empty{{"", RgbImage{}}};
  EXPECT_THROW(draw_panel(empty), std::invalid_argument);
  const std::vector<PanelTile> one{{"", plain_photo(20, 10)}};
  EXPECT_THROW(draw_panel(one, {.columns = 0}), FieldError);
  EXPECT_THROW(draw_panel(one, {.tile_width_px = 10}), FieldError);
}

}  // namespace
}  // namespace roadplane::viz
