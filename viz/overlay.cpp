#include "roadplane/viz/overlay.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "legend.hpp"
#include "road_lines.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/viz/palette.hpp"
#include "splat.hpp"

namespace roadplane::viz {
namespace {

constexpr int kDepthSteps = 16;  // shapes between the nearest and the farthest
constexpr double kReferencePixels = 1242.0 * 375.0;

double picture_scale(const RgbImage& image) {
  return std::sqrt(1.0 * image.width * image.height / kReferencePixels);
}

/// The discs of all distances, from far to near, for every opacity that occurs among the looks.
struct Discs {
  std::vector<DiscShape> shapes;
  std::vector<std::size_t> first;  ///< position in `shapes` of each look's farthest
};

Discs make_discs(const OverlayOptions& options, const Palette& palette, double scale) {
  constexpr double kMinRadius = 0.6;  // [px] smaller discs vanish between the pixels
  Discs discs;
  std::map<double, std::size_t> first_of_opacity;
  for (const auto& look : palette.looks()) {
    const auto [entry, is_new] = first_of_opacity.try_emplace(look.opacity, discs.shapes.size());
    discs.first.push_back(entry->second);
    for (int step = 0; is_new && step < kDepthSteps; ++step) {
      const double nearness = step / (kDepthSteps - 1.0);
      const double radius = std::lerp(options.far_radius_px, options.near_radius_px, nearness);
      const double opacity = std::lerp(options.far_opacity, options.near_opacity, nearness);
      discs.shapes.push_back({std::max(kMinRadius, scale * radius), look.opacity * opacity});
    }
  }
  return discs;
}

/// Far to near: the bits of positive floats are in the floats' order.
std::uint32_t descending_depth(double depth_m) {
  return ~std::bit_cast<std::uint32_t>(static_cast<float>(depth_m));
}

std::vector<Splat> project(const Projection& projection, const LabelledCloud& cloud,
                           const Palette& palette, const Discs& discs, double near_m,
                           const RgbImage& image) {
  std::vector<Splat> splats;
  splats.reserve(cloud.points.size());
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    const Point& point = cloud.points[i];
    const auto pixel = projection.within(point, image.width, image.height);
    if (!pixel || !is_drawable(point)) continue;
    // Apparent size falls with 1/depth; so do the discs.
    const double nearness = std::min(1.0, near_m / pixel->depth_m);
    const auto step = std::min(kDepthSteps - 1, static_cast<int>(nearness * kDepthSteps));
    const std::size_t look = palette.look_of(cloud, i);
    splats.push_back({.order = descending_depth(pixel->depth_m),
                      .x = Splat::position(pixel->u),
                      .y = Splat::position(pixel->v),
                      .shape = static_cast<std::uint16_t>(discs.first[look] + step),
                      .color = static_cast<std::uint16_t>(look)});
  }
  return splats;
}

std::vector<Color> colors_of(const Palette& palette) {
  std::vector<Color> colors;
  for (const auto& look : palette.looks()) colors.push_back(look.color);
  return colors;
}

}  // namespace

void OverlayOptions::validate() const {
  require_range("near_m", near_m, 0.1, 1000);
  require_range("near_radius_px", near_radius_px, 0.1, 50);
  require_range("far_radius_px", far_radius_px, 0.1, 50);
  require_range("near_opacity", near_opacity, 0, 1);
  require_range("far_opacity", far_opacity, 0, 1);
}

Overlay draw_overlay(RgbImage photo, const Projection& projection, const LabelledCloud& cloud,
                     const std::vector<std::string>& legend, const OverlayOptions& options) {
  options.validate();
  validate(cloud, options.style);
  if (photo.width < 1 || photo.height < 1 ||
      photo.rgb.size() != std::size_t{3} * photo.width * photo.height) {
    throw std::invalid_argument("draw_overlay: the photo is empty or not of its own size");
  }

  Overlay overlay{std::move(photo), 0};
  const Palette palette(options.style);
  const double scale = picture_scale(overlay.image);
  const Discs discs = make_discs(options, palette, scale);
  auto splats = project(projection, cloud, palette, discs, options.near_m, overlay.image);
  overlay.points_drawn = splats.size();
  DiscPainter(discs.shapes, colors_of(palette)).paint(splats, overlay.image);
  if (cloud.view != nullptr) draw_edges(cloud.view->edges, projection, scale, overlay.image);
  draw_legend(
      legend,
      options.color_key ? with_edges(palette.key(cloud), cloud, false) : std::vector<KeyEntry>{},
      scale, overlay.image);
  return overlay;
}

}  // namespace roadplane::viz
