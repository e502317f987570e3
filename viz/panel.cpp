#include "roadplane/viz/panel.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <stdexcept>

#include "legend.hpp"
#include "roadplane/base/field_error.hpp"

namespace roadplane::viz {
namespace {

constexpr Color kTitle{240, 240, 240};
constexpr std::uint8_t kBackground = 24;

/// All lengths in pixels.
struct Grid {
  cv::Size tile;
  int columns = 1;
  int rows = 1;
  int gap() const { return std::max(2, tile.width / 130); }
  int bar() const { return std::max(18, tile.width / 28); }  ///< height of a title
  int left(int k) const { return gap() + k % columns * (tile.width + gap()); }
  int top(int k) const { return gap() + k / columns * (bar() + tile.height + gap()); }
};

Grid make_grid(std::span<const PanelTile> tiles, const PanelOptions& options) {
  require_range("columns", options.columns, 1, 100);
  require_range("tile_width_px", options.tile_width_px, 50, 4000);
  if (tiles.empty()) throw std::invalid_argument("panel: expected at least one picture");
  const RgbImage& first = tiles.front().image;
  for (const PanelTile& tile : tiles) {
    if (tile.image.empty() || tile.image.width != first.width ||
        tile.image.height != first.height) {
      throw std::invalid_argument("panel: expected pictures of one size, not empty");
    }
  }
  Grid grid;
  const double scale = static_cast<double>(options.tile_width_px) / first.width;
  grid.tile = {options.tile_width_px,
               std::max(1, static_cast<int>(std::lround(scale * first.height)))};
  const int count = static_cast<int>(tiles.size());
  grid.columns = std::min(options.columns, count);
  grid.rows = (count + grid.columns - 1) / grid.columns;
  return grid;
}

/// The same pixels, for OpenCV.
cv::Mat view_of(const RgbImage& image) {
  return {image.height, image.width, CV_8UC3, const_cast<std::uint8_t*>(image.rgb.data())};
}

}  // namespace

RgbImage draw_panel(std::span<const PanelTile> tiles, const PanelOptions& options) {
  const Grid grid = make_grid(tiles, options);
  RgbImage panel;
  panel.width = grid.left(grid.columns - 1) + grid.tile.width + grid.gap();
  panel.height =
      grid.top((grid.rows - 1) * grid.columns) + grid.bar() + grid.tile.height + grid.gap();
  panel.rgb.assign(std::size_t{3} * panel.width * panel.height, kBackground);
  cv::Mat canvas = view_of(panel);
  for (int k = 0; k < static_cast<int>(tiles.size()); ++k) {
    const cv::Rect place({grid.left(k), grid.top(k) + grid.bar()}, grid.tile);
    cv::resize(view_of(tiles[k].image), canvas(place), grid.tile, 0, 0, cv::INTER_AREA);
    draw_label(tiles[k].title, place.x + grid.tile.width / 2.0, grid.top(k) + grid.bar() / 2.0,
               0.4 * grid.bar(), kTitle, panel);
  }
  return panel;
}

}  // namespace roadplane::viz
