#include "roadplane/viz/fleet_map.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "legend.hpp"
#include "roadplane/viz/palette.hpp"
#include "splat.hpp"

namespace roadplane::viz {
namespace {

constexpr Color kBackground{16, 18, 23};
constexpr Color kLink{190, 196, 208};
constexpr Color kName{245, 245, 245};
constexpr Color kDoubted{255, 90, 60};
constexpr double kMarginM = 30;
constexpr double kLongSidePx = 1600;
constexpr double kLeastSidePx = 420;
constexpr double kPointPx = 0.9;
constexpr double kVehiclePx = 5;

cv::Scalar scalar(Color color) { return {1.0 * color.r, 1.0 * color.g, 1.0 * color.b}; }

/// Metres to pixels.
class View {
 public:
  explicit View(std::span<const MappedVehicle> vehicles) {
    double high_x = vehicles.front().x;
    double low_y = vehicles.front().y;
    low_x_ = high_x;
    high_y_ = low_y;
    for (const MappedVehicle& v : vehicles) {
      low_x_ = std::min(low_x_, v.x);
      high_x = std::max(high_x, v.x);
      low_y = std::min(low_y, v.y);
      high_y_ = std::max(high_y_, v.y);
    }
    low_x_ -= kMarginM;
    high_y_ += kMarginM;
    const double wide_m = high_x + kMarginM - low_x_;
    const double high_m = high_y_ + kMarginM - low_y;
    low_y -= kMarginM;
    px_per_m_ = kLongSidePx / std::max(wide_m, high_m);
    width_ = static_cast<int>(std::max(kLeastSidePx, wide_m * px_per_m_));
    height_ = static_cast<int>(std::max(kLeastSidePx, (high_y_ - low_y) * px_per_m_));
    low_x_ -= (width_ / px_per_m_ - wide_m) / 2;
    high_y_ += (height_ / px_per_m_ - (high_y_ - low_y)) / 2;
  }
  double u(double x) const { return (x - low_x_) * px_per_m_; }
  double v(double y) const { return (high_y_ - y) * px_per_m_; }
  cv::Point at(const MappedVehicle& vehicle) const {
    return {static_cast<int>(std::lround(u(vehicle.x))),
            static_cast<int>(std::lround(v(vehicle.y)))};
  }
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  double low_x_ = 0;
  double high_y_ = 0;
  double px_per_m_ = 1;
  int width_ = 0;
  int height_ = 0;
};

void paint_points(const View& view, std::span<const SeenPoint> points, RgbImage& image) {
  const Palette palette(OverlayStyle::agents);
  std::vector<Color> colors;
  for (const auto& look : palette.looks()) colors.push_back(look.color);
  const DiscShape shape{kPointPx, 0.8};
  std::vector<Splat> splats;
  for (const SeenPoint& p : points) {
    const double u = view.u(p.x);
    const double v = view.v(p.y);
    if (!(u >= 0 && u < image.width && v >= 0 && v < image.height)) continue;
    const int look = 2 * (p.vehicle % Palette::kAgentColors) + (p.labelled != 0 ? 1 : 0);
    splats.push_back({.order = p.labelled,  // what is labelled lies on top
                      .x = Splat::position(u),
                      .y = Splat::position(v),
                      .shape = 0,
                      .color = static_cast<std::uint16_t>(look)});
  }
  DiscPainter({&shape, 1}, colors).paint(splats, image);
}

}  // namespace

RgbImage draw_fleet_map(std::span<const MappedVehicle> vehicles,
                        std::span<const std::pair<int, int>> links,
                        std::span<const SeenPoint> points, const std::vector<std::string>& legend) {
  const View view(vehicles);
  RgbImage image{view.width(), view.height(), {}};
  image.rgb.resize(std::size_t{3} * static_cast<std::size_t>(image.width) *
                   static_cast<std::size_t>(image.height));
  cv::Mat canvas(image.height, image.width, CV_8UC3, image.rgb.data());
  canvas.setTo(scalar(kBackground));
  paint_points(view, points, image);
  for (const auto& [a, b] : links) {
    cv::line(canvas, view.at(vehicles[static_cast<std::size_t>(a)]),
             view.at(vehicles[static_cast<std::size_t>(b)]), scalar(kLink), 1, cv::LINE_AA);
  }
  for (const MappedVehicle& vehicle : vehicles) {
    const Color color = vehicle.doubted ? kDoubted : kName;
    cv::circle(canvas, view.at(vehicle), static_cast<int>(kVehiclePx), scalar(color), cv::FILLED,
               cv::LINE_AA);
    draw_label(vehicle.name, view.u(vehicle.x), view.v(vehicle.y) - 3 * kVehiclePx, 9, color,
               image);
  }
  draw_legend(legend, {{kName, "vehicle"}, {kDoubted, "vehicle with a doubted pose"}}, 1, image);
  return image;
}

}  // namespace roadplane::viz
