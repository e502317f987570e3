#include "roadplane/pipeline/painter.hpp"

#include <utility>

#include "frame_picture.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/viz/birds_eye.hpp"
#include "roadplane/viz/overlay.hpp"

namespace roadplane {
namespace {

viz::Overlay paint(RgbImage photo, const std::optional<Projection>& projection,
                   const viz::LabelledCloud& cloud, viz::OverlayStyle style,
                   const std::vector<std::string>& legend, bool color_key) {
  if (photo.empty()) {
    viz::BirdsEyeOptions options;
    options.style = style;
    options.color_key = color_key;
    return viz::draw_birds_eye(cloud, legend, options);
  }
  viz::OverlayOptions options;
  options.style = style;
  options.color_key = color_key;
  return viz::draw_overlay(std::move(photo), *projection, cloud, legend, options);
}

}  // namespace

Painter::Painter(const kitti::Frame& frame) {
  auto picture = load_picture(frame);
  if (!picture) return;
  where_ = std::move(picture->where);
  projection_ = picture->projection;
  photo_ = std::move(picture->photo);
}

RgbImage Painter::draw(const viz::LabelledCloud& cloud, viz::OverlayStyle style,
                       const std::vector<std::string>& legend) && {
  const bool on_photo = !from_above();
  viz::Overlay picture = paint(std::move(photo_), projection_, cloud, style, legend, true);
  if (on_photo && picture.points_drawn == 0) {
    throw InputError(where_, "points in view of the camera", "none");
  }
  return std::move(picture.image);
}

RgbImage Painter::draw(const viz::LabelledCloud& cloud, viz::OverlayStyle style) const {
  return paint(photo_, projection_, cloud, style, {}, false).image;
}

}  // namespace roadplane
