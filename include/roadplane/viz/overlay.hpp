#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "roadplane/geometry/projection.hpp"
#include "roadplane/geometry/rgb_image.hpp"
#include "roadplane/viz/labelled_cloud.hpp"

namespace roadplane::viz {

/// Sizes are for a picture of 1242 x 375 pixels and grow with the picture.
struct OverlayOptions {
  OverlayStyle style = OverlayStyle::labels;  ///< what the colours mean
  double near_m = 6;                          ///< [m] depth up to which points have the near size
  double near_radius_px = 1.7;                ///< [px] radius of the nearest points, 0.1..50
  double far_radius_px = 0.85;  ///< [px] radius that the farthest points tend to, 0.1..50
  double near_opacity = 0.75;   ///< 0 (invisible) .. 1 (the photo does not shine through)
  double far_opacity = 0.65;    ///< 0..1; lower: far points lie close together
  bool color_key = true;        ///< explain the colours below the legend's lines

  /// Throws FieldError naming the field and its range.
  void validate() const;
};

struct Overlay {
  RgbImage image;
  std::size_t points_drawn = 0;  ///< in front of the camera and inside the picture; may be 0
};

/// The paper's figure: the points on the camera's picture, the nearest on top. The legend (its
/// lines, then the colour key) is left out where the picture is too small to read it. Throws
/// std::invalid_argument for an empty picture or a cloud that does not fit the style.
Overlay draw_overlay(RgbImage photo, const Projection& projection, const LabelledCloud& cloud,
                     const std::vector<std::string>& legend = {},
                     const OverlayOptions& options = {});

}  // namespace roadplane::viz
