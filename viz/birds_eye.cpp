#include "roadplane/viz/birds_eye.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "legend.hpp"
#include "road_lines.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/viz/palette.hpp"
#include "splat.hpp"

namespace roadplane::viz {
namespace {

constexpr Color kBackground{16, 18, 23};
constexpr Color kRings{70, 76, 88};
constexpr Color kRingText{185, 190, 200};
constexpr Color kVehicle{245, 245, 245};
constexpr double kReferenceSize = 900;  // [px]
constexpr double kOpacity = 0.85;

constexpr int kHeightSteps = 8;   // brightnesses of points that are not road
constexpr double kLowest = -1.7;  // [m] below the sensor, about the ground: full brightness
constexpr double kHighest = 2.5;  // [m] above it: least brightness
constexpr double kLeastBrightness = 0.35;

/// Metres to pixels: forward is up, left is left.
struct View {
  double center_px = 0;
  double px_per_m = 1;

  double u(double left_m) const { return center_px - left_m * px_per_m; }
  double v(double forward_m) const { return center_px - forward_m * px_per_m; }
};

RgbImage background(int size_px) {
  const std::size_t row_bytes = std::size_t{3} * size_px;
  RgbImage image{size_px, size_px, std::vector<std::uint8_t>(row_bytes * size_px)};
  for (std::size_t i = 0; i < row_bytes; i += 3) {
    image.rgb[i] = kBackground.r;
    image.rgb[i + 1] = kBackground.g;
    image.rgb[i + 2] = kBackground.b;
  }
  // Copies of the first row take 0.1 ms; setting a cv::Mat to the colour takes 5 ms.
  for (int y = 1; y < size_px; ++y) {
    std::copy_n(image.rgb.begin(), row_bytes, image.rgb.begin() + y * row_bytes);
  }
  return image;
}

cv::Scalar scalar(Color color) { return {1.0 * color.r, 1.0 * color.g, 1.0 * color.b}; }

cv::Point fixed_point(double u, double v, int shift) {
  const double one = 1 << shift;
  return {static_cast<int>(std::lround(u * one)), static_cast<int>(std::lround(v * one))};
}

void draw_rings(const View& view, double step_m, cv::Mat& canvas) {
  constexpr int kShift = 4;
  const double corner_m = std::sqrt(2.0) * view.center_px / view.px_per_m;
  for (double radius_m = step_m; radius_m < corner_m; radius_m += step_m) {
    cv::circle(canvas, fixed_point(view.center_px, view.center_px, kShift),
               static_cast<int>(std::lround(radius_m * view.px_per_m * (1 << kShift))),
               scalar(kRings), 1, cv::LINE_AA, kShift);
  }
}

/// Distances stand on the diagonal to the lower right, away from the road ahead and the legend.
void draw_distances(const View& view, double step_m, double scale, RgbImage& image) {
  const double text_px = std::max(7.0, 8 * scale);
  double last_m = 0;
  for (double radius_m = step_m; radius_m * view.px_per_m < view.center_px; radius_m += step_m) {
    if ((radius_m - last_m) * view.px_per_m < 5 * text_px) continue;  // would run together
    last_m = radius_m;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%g m", radius_m);
    const double side_m = radius_m * std::sqrt(0.5);
    draw_label(text.data(), view.u(-side_m), view.v(-side_m), text_px, kRingText, image);
  }
}

/// A car with its nose up, about KITTI's: the sensor is a little behind its middle.
void draw_vehicle(const View& view, cv::Mat& canvas) {
  constexpr int kShift = 4;
  constexpr std::array<std::array<double, 2>, 7> kOutline = {
      {{2.6, 0}, {2.1, 0.75}, {1.2, 0.9}, {-1.9, 0.9}, {-1.9, -0.9}, {1.2, -0.9}, {2.1, -0.75}}};
  std::vector<cv::Point> corners;
  corners.reserve(kOutline.size());
  for (const auto& [forward_m, left_m] : kOutline) {
    corners.push_back(fixed_point(view.u(left_m), view.v(forward_m), kShift));
  }
  cv::fillConvexPoly(canvas, corners, scalar(kVehicle), cv::LINE_AA, kShift);
}

/// Every look at every height step.
std::vector<Color> dimmed_colors(const Palette& palette) {
  std::vector<Color> colors;
  colors.reserve(palette.looks().size() * kHeightSteps);
  for (const auto& look : palette.looks()) {
    for (int step = 0; step < kHeightSteps; ++step) {
      const double factor =
          look.is_road ? 1 : std::lerp(1, kLeastBrightness, step / (kHeightSteps - 1.0));
      const auto dim = [factor](int v) { return static_cast<std::uint8_t>(v * factor); };
      colors.push_back({dim(look.color.r), dim(look.color.g), dim(look.color.b)});
    }
  }
  return colors;
}

/// High to low in steps of 2 cm: few enough values to be sorted in one pass.
std::uint32_t descending_height(float z_m) {
  constexpr float kTopM = 30;
  constexpr float kStepsPerM = 50;
  return static_cast<std::uint32_t>(std::clamp((kTopM - z_m) * kStepsPerM, 0.0F, 2047.0F));
}

std::vector<Splat> place(const View& view, const LabelledCloud& cloud, const Palette& palette,
                         const RgbImage& image) {
  std::vector<Splat> splats;
  splats.reserve(cloud.points.size());
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    const Point& point = cloud.points[i];
    const double u = view.u(point.y);
    const double v = view.v(point.x);
    if (!(u >= 0 && u < image.width && v >= 0 && v < image.height)) continue;
    if (!is_drawable(point)) continue;
    const double height = std::clamp((point.z - kLowest) / (kHighest - kLowest), 0.0, 1.0);
    const auto step = std::min(kHeightSteps - 1, static_cast<int>(height * kHeightSteps));
    const std::size_t look = palette.look_of(cloud, i);
    splats.push_back({.order = descending_height(point.z),
                      .x = Splat::position(u),
                      .y = Splat::position(v),
                      .shape = static_cast<std::uint16_t>(look),
                      .color = static_cast<std::uint16_t>(look * kHeightSteps + step)});
  }
  return splats;
}

}  // namespace

void BirdsEyeOptions::validate() const {
  require_range("size_px", size_px, 1, 8000);
  require_range("range_m", range_m, 1, 1000);
  require_range("ring_step_m", ring_step_m, 0.1, 1000);
  require_range("point_radius_px", point_radius_px, 0.1, 50);
}

Overlay draw_birds_eye(const LabelledCloud& cloud, const std::vector<std::string>& legend,
                       const BirdsEyeOptions& options) {
  options.validate();
  validate(cloud, options.style);

  Overlay overlay{background(options.size_px), 0};
  cv::Mat canvas(options.size_px, options.size_px, CV_8UC3, overlay.image.rgb.data());
  const View view{options.size_px / 2.0, options.size_px / (2 * options.range_m)};
  const double scale = options.size_px / kReferenceSize;
  const auto pixel = [&view](const Eigen::Vector3d& at) {
    return Eigen::Vector2d(view.u(at.y()), view.v(at.x()));
  };
  if (cloud.view != nullptr) draw_hidden(cloud.view->map, pixel, overlay.image);
  draw_rings(view, options.ring_step_m, canvas);

  const Palette palette(options.style);
  std::vector<DiscShape> shapes;
  for (const auto& look : palette.looks()) {
    shapes.push_back({std::max(0.6, scale * options.point_radius_px), kOpacity * look.opacity});
  }
  auto splats = place(view, cloud, palette, overlay.image);
  overlay.points_drawn = splats.size();
  DiscPainter(shapes, dimmed_colors(palette)).paint(splats, overlay.image);

  if (cloud.view != nullptr) draw_edges(cloud.view->edges, pixel, scale, overlay.image);
  draw_vehicle(view, canvas);
  draw_distances(view, options.ring_step_m, scale, overlay.image);
  draw_legend(
      legend,
      options.color_key ? with_edges(palette.key(cloud), cloud, true) : std::vector<KeyEntry>{},
      scale, overlay.image);
  return overlay;
}

}  // namespace roadplane::viz
