// What a picture costs: reading, drawing and encoding it. bench/picture_time has the whole path.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "roadplane/geometry/projection.hpp"
#include "roadplane/geometry/rgb_image.hpp"
#include "roadplane/viz/birds_eye.hpp"
#include "roadplane/viz/image_file.hpp"
#include "roadplane/viz/overlay.hpp"

namespace {

using namespace roadplane;

constexpr std::size_t kPoints = 120'000;
const std::vector<std::string> kLegend = {"2011_09_26_drive_0005 / 0000000001",
                                          "VRSGT, l3, 16 agents", "recovery error 1.07e-02",
                                          "threshold 0.011 rad"};

/// KITTI's camera, close enough: x right = -y, y down = -z, depth = x.
Projection camera() {
  Eigen::Matrix<double, 3, 4> matrix;
  matrix << 610, -721, 0, 0,  //
      173, 0, -721, 0,        //
      1, 0, 0, -0.27;
  return Projection(matrix);
}

/// A road 1.73 m below and walls around it, in 64 rings over `sector_rad` around the view.
Scan make_scan(double sector_rad) {
  constexpr int kRings = 64;
  constexpr double kWallM = 25;
  constexpr double kHeightM = 1.73;
  Scan scan;
  for (std::size_t i = 0; i < kPoints; ++i) {
    const double elevation = (2.0 - 26.8 * static_cast<double>(i % kRings) / kRings) * 0.0174533;
    const double azimuth = sector_rad * (static_cast<double>(i) / kPoints - 0.5);
    const double to_road = elevation < 0 ? -kHeightM / std::tan(elevation) : kWallM;
    const double range = std::min(kWallM, to_road);
    scan.push_back({static_cast<float>(range * std::cos(azimuth)),
                    static_cast<float>(range * std::sin(azimuth)),
                    static_cast<float>(range * std::tan(elevation)), 0.3F});
  }
  return scan;
}

std::vector<std::uint8_t> road_labels(const Scan& scan) {
  std::vector<std::uint8_t> road;
  for (const Point& point : scan) road.push_back(point.z < -1.7F ? 1 : 0);
  return road;
}

/// Smooth structure and noise, so that it compresses about like a photo.
RgbImage make_photo() {
  RgbImage photo{1242, 375, {}};
  std::mt19937 generator(1);
  std::normal_distribution<double> noise(0, 6);
  for (int y = 0; y < photo.height; ++y) {
    for (int x = 0; x < photo.width; ++x) {
      const double level = 110 + 60 * std::sin(0.02 * x) * std::cos(0.03 * y) + noise(generator);
      for (int c = 0; c < 3; ++c) {
        photo.rgb.push_back(static_cast<std::uint8_t>(level + 8 * c + 0.3 * noise(generator)));
      }
    }
  }
  return photo;
}

void draw(benchmark::State& state, double sector_rad, const std::vector<std::string>& legend) {
  const Scan scan = make_scan(sector_rad);
  const auto road = road_labels(scan);
  const RgbImage photo = make_photo();
  viz::OverlayOptions options;
  options.color_key = !legend.empty();
  std::size_t drawn = 0;
  for (auto _ : state) {
    const auto overlay =
        viz::draw_overlay(photo, camera(), {.points = scan, .road = road}, legend, options);
    drawn = overlay.points_drawn;
    benchmark::DoNotOptimize(overlay.image.rgb.data());
  }
  state.counters["drawn"] = static_cast<double>(drawn);
}

void overlay_full_circle(benchmark::State& state) { draw(state, 6.2831853, kLegend); }
void overlay_without_legend(benchmark::State& state) { draw(state, 6.2831853, {}); }
void overlay_all_in_view(benchmark::State& state) { draw(state, 1.3, kLegend); }

void birds_eye(benchmark::State& state) {
  const Scan scan = make_scan(6.2831853);
  const auto road = road_labels(scan);
  for (auto _ : state) {
    const auto picture = viz::draw_birds_eye({.points = scan, .road = road}, kLegend);
    benchmark::DoNotOptimize(picture.image.rgb.data());
  }
}

template <class Encode>
void encode(benchmark::State& state, const Encode& encoded) {
  const Scan scan = make_scan(6.2831853);
  const auto road = road_labels(scan);
  const auto overlay =
      viz::draw_overlay(make_photo(), camera(), {.points = scan, .road = road}, kLegend);
  std::size_t bytes = 0;
  for (auto _ : state) bytes = encoded(overlay.image).size();
  state.counters["bytes"] = static_cast<double>(bytes);
}

void encode_overlay(benchmark::State& state) { encode(state, viz::encode_png); }
void encode_overlay_jpeg(benchmark::State& state) {
  encode(state, [](const RgbImage& image) { return viz::encode_jpeg(image); });
}

void read_photo(benchmark::State& state) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("viz_bench_" + std::to_string(std::random_device()()) + ".png");
  viz::write_png(path, make_photo());
  for (auto _ : state) benchmark::DoNotOptimize(viz::read_image(path).rgb.data());
  std::filesystem::remove(path);
}

BENCHMARK(overlay_full_circle)->Unit(benchmark::kMillisecond);
BENCHMARK(overlay_without_legend)->Unit(benchmark::kMillisecond);
BENCHMARK(overlay_all_in_view)->Unit(benchmark::kMillisecond);
BENCHMARK(birds_eye)->Unit(benchmark::kMillisecond);
BENCHMARK(encode_overlay)->Unit(benchmark::kMillisecond);
BENCHMARK(encode_overlay_jpeg)->Unit(benchmark::kMillisecond);
BENCHMARK(read_photo)->Unit(benchmark::kMillisecond);

}  // namespace
