#pragma once

#include <string>
#include <vector>

#include "roadplane/geometry/rgb_image.hpp"
#include "roadplane/viz/palette.hpp"

namespace roadplane::viz {

/// A dark box in the upper left corner with lines of text, then the colour key. `scale` is 1 for a
/// picture of 1242 x 375 pixels. Shrinks to leave most of the picture free; nothing is drawn if it
/// would be too small to read. Characters that are not ASCII become question marks.
void draw_legend(const std::vector<std::string>& lines, const std::vector<KeyEntry>& key,
                 double scale, RgbImage& image);

/// Text on a dark box centred on (x, y), its capitals `height_px` high.
void draw_label(const std::string& text, double x, double y, double height_px, Color color,
                RgbImage& image);

}  // namespace roadplane::viz
