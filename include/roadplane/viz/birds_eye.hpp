#pragma once

#include <string>
#include <vector>

#include "roadplane/viz/labelled_cloud.hpp"
#include "roadplane/viz/overlay.hpp"

namespace roadplane::viz {

struct BirdsEyeOptions {
  OverlayStyle style = OverlayStyle::labels;  ///< what the colours mean
  int size_px = 900;                          ///< [px] width and height of the picture, 1..8000
  double range_m = 45;           ///< [m] from the vehicle to the picture's edges, 1..1000
  double ring_step_m = 10;       ///< [m] between range rings, 0.1..1000
  double point_radius_px = 1.1;  ///< [px] for a picture of 900 pixels, 0.1..50
  bool color_key = true;         ///< explain the colours below the legend's lines

  /// Throws FieldError naming the field and its range.
  void validate() const;
};

/// The scan from above, forward up: for frames without a picture or calibration. Points that are
/// not road are darker the higher they are, and are painted from high to low: the ground is the
/// subject, so nothing hides it. Throws std::invalid_argument for a cloud that does not fit the
/// style.
Overlay draw_birds_eye(const LabelledCloud& cloud, const std::vector<std::string>& legend = {},
                       const BirdsEyeOptions& options = {});

}  // namespace roadplane::viz
