#pragma once

#include <span>
#include <string>

#include "roadplane/geometry/rgb_image.hpp"

namespace roadplane::viz {

/// One picture of a panel and what stands above it.
struct PanelTile {
  std::string title;
  RgbImage image;
};

struct PanelOptions {
  int columns = 2;          ///< pictures side by side, at least 1
  int tile_width_px = 800;  ///< [px] every picture is scaled to it, 50..4000
};

/// Pictures side by side, row by row, each below its title; for the same frame by several methods.
/// All pictures must be of one size. Throws std::invalid_argument if not, or if there is none,
/// and FieldError for options out of their range.
RgbImage draw_panel(std::span<const PanelTile> tiles, const PanelOptions& options = {});

}  // namespace roadplane::viz
