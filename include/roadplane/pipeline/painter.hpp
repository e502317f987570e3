#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roadplane/geometry/projection.hpp"
#include "roadplane/geometry/rgb_image.hpp"
#include "roadplane/kitti/frame.hpp"
#include "roadplane/viz/labelled_cloud.hpp"

namespace roadplane {

/// Draws labels on the frame's picture, or from above where it has none.
class Painter {
 public:
  Painter() = default;  ///< always from above
  /// Throws InputError if the picture or the calibration cannot be read.
  explicit Painter(const kitti::Frame& frame);

  bool from_above() const { return photo_.empty(); }
  const RgbImage& photo() const { return photo_; }

  /// With the lines of a legend and a key of the colours, on the picture itself, not on a copy.
  /// Throws InputError if no point is in view of the camera.
  RgbImage draw(const viz::LabelledCloud& cloud, viz::OverlayStyle style,
                const std::vector<std::string>& legend) &&;
  /// Without either, for a page that has its own.
  RgbImage draw(const viz::LabelledCloud& cloud, viz::OverlayStyle style) const;

 private:
  std::string where_;
  std::optional<Projection> projection_;
  RgbImage photo_;
};

}  // namespace roadplane
