// A real KITTI frame; set ROADPLANE_DATA to the folder that holds kitti/.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "roadplane/geometry/plane.hpp"
#include "roadplane/viz/image_file.hpp"
#include "roadplane/viz/overlay.hpp"
#include "viz/scene.hpp"

namespace roadplane::viz {
namespace {

/// The numbers behind `key:` in a KITTI calibration file.
std::vector<double> numbers(const std::filesystem::path& path, const std::string& key) {
  std::ifstream file(path);
  std::vector<double> values;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key + ":")) continue;
    std::istringstream stream(line.substr(key.size() + 1));
    for (double value = 0; stream >> value;) values.push_back(value);
  }
  return values;
}

Projection raw_projection(const std::filesystem::path& day) {
  const auto p = numbers(day / "calib_cam_to_cam.txt", "P_rect_02");
  const auto r_rect = numbers(day / "calib_cam_to_cam.txt", "R_rect_00");
  const auto r = numbers(day / "calib_velo_to_cam.txt", "R");
  const auto t = numbers(day / "calib_velo_to_cam.txt", "T");
  Eigen::Matrix<double, 3, 4> camera;
  Eigen::Matrix4d rectify = Eigen::Matrix4d::Identity();
  Eigen::Matrix4d lidar = Eigen::Matrix4d::Identity();
  for (int i = 0; i < 12; ++i) camera(i / 4, i % 4) = p.at(i);
  for (int i = 0; i < 9; ++i) rectify(i / 3, i % 3) = r_rect.at(i);
  for (int i = 0; i < 9; ++i) lidar(i / 3, i % 3) = r.at(i);
  for (int i = 0; i < 3; ++i) lidar(i, 3) = t.at(i);
  return Projection(camera * rectify * lidar);
}

Scan read_scan(const std::filesystem::path& path) {
  Scan scan(std::filesystem::file_size(path) / sizeof(Point));
  std::ifstream(path, std::ios::binary)
      .read(reinterpret_cast<char*>(scan.data()),
            static_cast<std::streamsize>(scan.size() * sizeof(Point)));
  return scan;
}

TEST(RealFrame, BluePointsLieOnTheRoad) {
  const char* data = std::getenv("ROADPLANE_DATA");
  if (data == nullptr) GTEST_SKIP() << "ROADPLANE_DATA is not set";
  const auto day = std::filesystem::path(data) / "kitti/raw/2011_09_26";
  const auto drive = day / "2011_09_26_drive_0005_sync";
  const RgbImage photo = read_image(drive / "image_02/data/0000000001.png");
  const Scan scan = read_scan(drive / "velodyne_points/data/0000000001.bin");
  const Plane plane{Eigen::Vector3d(-0.01346, 0.00332, 0.99990).normalized(), 1.78395};
  std::vector<std::uint8_t> road;
  for (const Point& point : scan) road.push_back(plane.angular_residual(point) < 0.011 ? 1 : 0);

  const auto overlay = draw_overlay(photo, raw_projection(day), {.points = scan, .road = road},
                                    {"drive 5, frame 1"});
  EXPECT_GT(overlay.points_drawn, 15'000U);
  EXPECT_LT(overlay.points_drawn, 30'000U);

  // By eye: road fills the rows below 330 but for the cyclist's wheels, and ends above row 190.
  const auto blue_gain = [&](int first_row, int last_row) {
    double gain = 0;
    for (int y = first_row; y < last_row; ++y) {
      for (int x = 0; x < photo.width; ++x) {
        const Color now = pixel(overlay.image, x, y);
        const Color before = pixel(photo, x, y);
        gain += (now.b - now.r) - (before.b - before.r);
      }
    }
    return gain / (photo.width * (last_row - first_row));
  };
  EXPECT_GT(blue_gain(330, 375), 20);
  EXPECT_LT(blue_gain(140, 190), -10);
}

}  // namespace
}  // namespace roadplane::viz
