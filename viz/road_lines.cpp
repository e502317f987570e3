#include "road_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <optional>

#include "roadplane/viz/report.hpp"

namespace roadplane::viz {
namespace {

constexpr double kGapM = 2.5;  // [m] points of a border that are farther apart are not joined
constexpr double kWidthPx = 2;
constexpr int kShift = 3;

cv::Scalar scalar(Color color) { return {1.0 * color.r, 1.0 * color.g, 1.0 * color.b}; }

cv::Mat canvas_of(RgbImage& image) {
  return {image.height, image.width, CV_8UC3, image.rgb.data()};
}

cv::Point fixed_point(const Eigen::Vector2d& pixel) {
  static constexpr double kFar = 1e5;  // beyond any picture, and no overflow
  const auto part = [](double v) {
    return static_cast<int>(std::lround(std::clamp(v, -kFar, kFar) * (1 << kShift)));
  };
  return {part(pixel.x()), part(pixel.y())};
}

bool joined(const BorderPoint& a, const BorderPoint& b, const Eigen::Vector3d& ahead) {
  return (b.at - a.at).dot(ahead) <= kGapM;
}

bool seen(const BorderPoint& a, const BorderPoint& b) {
  return a.beyond == Sight::other && b.beyond == Sight::other;
}

/// `to_pixel` gives nothing for what the picture cannot show.
void draw(const RoadEdges& edges, const auto& to_pixel, double scale, RgbImage& image) {
  cv::Mat canvas = canvas_of(image);
  for (const auto* border : {&edges.left, &edges.right}) {
    for (std::size_t k = 0; k + 1 < border->size(); ++k) {
      const BorderPoint &a = (*border)[k], &b = (*border)[k + 1];
      if (!joined(a, b, edges.ahead)) continue;
      const std::optional<Eigen::Vector2d> from = to_pixel(a.at), to = to_pixel(b.at);
      if (!from || !to) continue;
      const double width_px = scale * (seen(a, b) ? kWidthPx : kWidthPx / 2);
      cv::line(canvas, fixed_point(*from), fixed_point(*to),
               scalar(seen(a, b) ? kEdge : kUnknownEdge),
               std::max(1, static_cast<int>(std::lround(width_px))), cv::LINE_AA, kShift);
    }
  }
}

}  // namespace

void draw_edges(const RoadEdges& edges, const ToPixel& to_pixel, double scale, RgbImage& image) {
  draw(
      edges, [&](const Eigen::Vector3d& at) { return std::optional(to_pixel(at)); }, scale, image);
}

void draw_edges(const RoadEdges& edges, const Projection& projection, double scale,
                RgbImage& image) {
  const auto to_pixel = [&](const Eigen::Vector3d& at) -> std::optional<Eigen::Vector2d> {
    const Eigen::Vector3f p = at.cast<float>();
    const auto pixel = projection(Point{p.x(), p.y(), p.z(), 0});
    if (!pixel || pixel->depth_m < 1) return std::nullopt;  // and none that is all but beside it
    return Eigen::Vector2d(pixel->u, pixel->v);
  };
  draw(edges, to_pixel, scale, image);
}

std::vector<std::array<Eigen::Vector3d, 4>> hidden_ground(const RoadMap& map) {
  constexpr int kSectors = 256;
  constexpr double kFarM = 60;
  std::vector<std::array<Eigen::Vector3d, 4>> found;
  for (int sector = 0; sector < kSectors; ++sector) {
    const double step = 2 * std::numbers::pi / kSectors, from = sector * step;
    const auto corner = [&](double azimuth, double range_m) {
      const Eigen::Vector3d on_ground(range_m * std::cos(azimuth), range_m * std::sin(azimuth), 0);
      return map.frame().to_sensor(on_ground);
    };
    for (const RoadMap::Stretch& stretch : map.stretches(from + step / 2)) {
      const double to_m = std::min(stretch.to_m, kFarM);
      if (stretch.sight != Sight::hidden || stretch.from_m >= to_m) continue;
      found.push_back({corner(from, stretch.from_m), corner(from, to_m), corner(from + step, to_m),
                       corner(from + step, stretch.from_m)});
    }
  }
  return found;
}

void draw_hidden(const RoadMap& map, const ToPixel& to_pixel, RgbImage& image) {
  cv::Mat canvas = canvas_of(image);
  for (const auto& corners : hidden_ground(map)) {
    std::array<cv::Point, 4> pixels;
    std::ranges::transform(corners, pixels.begin(),
                           [&](const auto& at) { return fixed_point(to_pixel(at)); });
    cv::fillConvexPoly(canvas, pixels.data(), 4, scalar(kHidden), cv::LINE_8, kShift);
  }
}

std::vector<KeyEntry> with_edges(std::vector<KeyEntry> key, const LabelledCloud& cloud,
                                 bool from_above) {
  if (cloud.view == nullptr) return key;
  key.push_back({kEdge, "edge of the road"});
  key.push_back({kUnknownEdge, "end of the view"});
  if (from_above) key.push_back({kHidden, "hidden ground"});
  return key;
}

Report::ReportRoad report_road(const SeenRoad& view) {
  Report::ReportRoad road;
  const auto add = [](const Eigen::Vector3d& at, std::vector<float>& numbers) {
    for (const double number : at) numbers.push_back(static_cast<float>(number));
  };
  for (const auto* border : {&view.edges.left, &view.edges.right}) {
    for (std::size_t k = 0; k + 1 < border->size(); ++k) {
      const BorderPoint &a = (*border)[k], &b = (*border)[k + 1];
      if (!joined(a, b, view.edges.ahead) || !seen(a, b)) continue;
      add(a.at, road.edges);
      add(b.at, road.edges);
    }
  }
  for (const auto& corners : hidden_ground(view.map)) {
    for (const int k : {0, 1, 2, 0, 2, 3}) add(corners[static_cast<std::size_t>(k)], road.hidden);
  }
  return road;
}

}  // namespace roadplane::viz
