#include "roadplane/kitti/calibration.hpp"

#include <gtest/gtest.h>

#include "support/data.hpp"
#include "support/input_error.hpp"
#include "support/temp_dir.hpp"

namespace roadplane::kitti {
namespace {

using FileLayout = CalibrationSource::Layout;
using test::expect_one_line;
using test::TempDir;

constexpr Point kNear{10, 0, -1.7F, 0};

void expect_pixel(const Projection& projection, const Point& point, double u, double v) {
  const auto pixel = projection(point);
  ASSERT_TRUE(pixel);
  EXPECT_NEAR(pixel->u, u, 1e-2);
  EXPECT_NEAR(pixel->v, v, 1e-2);
}

TEST(Calibration, KnownPixelsOfTheThreeLayouts) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const Projection raw = read_calibration({FileLayout::raw, kitti / "raw/2011_09_26"});
  expect_pixel(raw, kNear, 615.306, 301.291);
  expect_pixel(raw, {20, -5, -1.7F, 0}, 795.495, 238.031);
  expect_pixel(read_calibration({FileLayout::raw, kitti / "raw/2011_09_29"}), kNear, 609.207,
               299.987);
  const auto odometry = kitti / "odometry/sequences";
  expect_pixel(read_calibration({FileLayout::odometry, odometry / "00/calib.txt"}), kNear, 612.070,
               301.478);
  expect_pixel(read_calibration({FileLayout::odometry, odometry / "04/calib.txt"}), kNear, 605.636,
               297.048);
  expect_pixel(read_calibration({FileLayout::object, kitti / "object/training/calib/000000.txt"}),
               kNear, 607.292, 296.314);
}

/// f = 100 px, centre (50, 20); the camera looks along the LiDAR's x axis, 0.5 m above it.
constexpr const char* kOdometry =
    "P2: 100 0 50 0 0 100 20 0 0 0 1 0\n"
    "Tr: 0 -1 0 0 0 0 -1 0.5 1 0 0 0\n";

TEST(Calibration, ASmallCameraProjectsAsComputedByHand) {
  const Projection projection = odometry_projection({kOdometry, "calib"});
  expect_pixel(projection, {10, -1, -1.5F, 0}, 60, 40);
  EXPECT_FALSE(projection({-10, 0, 0, 0}));
  EXPECT_TRUE(projection.within({10, -1, -1.5F, 0}, 61, 41));
  EXPECT_FALSE(projection.within({10, -1, -1.5F, 0}, 59, 41));
}

TEST(Calibration, CrLfExtraKeysAndBlanksDoNotMatter) {
  const std::string text =
      "calib_time: 09-Jan-2012 13:57:47\r\n\r\nno colon here\r\n"
      " P2 :\t100 0 50 0 0 100  20 0 0 0 1 0 \t \r\n"
      "P20: 1\r\nTrue: false\r\n"
      "Tr: 0 -1 0 +0 0 0 -1 5e-1 1 0 0 0\r\nP3: nonsense";
  EXPECT_EQ(odometry_projection({text, "calib"}).matrix(),
            odometry_projection({kOdometry, "calib"}).matrix());
}

TEST(Calibration, RawAndObjectApplyTheRectification) {
  // The rectification swaps nothing but mirrors x, so that a slip in the order shows.
  const std::string velo = "R: 0 -1 0 0 0 -1 1 0 0\nT: 0 0.5 0\n";
  const std::string cam =
      "R_rect_00: -1 0 0 0 1 0 0 0 1\nP_rect_02: 100 0 50 0 0 100 20 0 0 0 1 0\n";
  expect_pixel(raw_projection({velo, "v"}, {cam, "c"}), {10, -1, -1.5F, 0}, 40, 40);
  const std::string object =
      "P2: 100 0 50 0 0 100 20 0 0 0 1 0\nR0_rect: -1 0 0 0 1 0 0 0 1\n"
      "Tr_velo_to_cam: 0 -1 0 0 0 0 -1 0.5 1 0 0 0\n";
  expect_pixel(object_projection({object, "o"}), {10, -1, -1.5F, 0}, 40, 40);
}

TEST(Calibration, BadFilesNameFileKeyAndFind) {
  const TempDir dir;
  const auto read = [](const std::filesystem::path& path) {
    return [path] { read_calibration({FileLayout::odometry, path}); };
  };
  const auto check = [&](const char* name, std::string_view text, const char* key,
                         const char* found) {
    const auto path = dir.write(name, text);
    expect_one_line(read(path), path.string() + ": expected " + key, found);
  };
  check("missing", "P2: 1 2 3 4 5 6 7 8 9 10 11 12\n", "Tr", "no Tr");
  check("empty", "", "P2", "no P2");
  check("few", "P2: 1 2 3 4 5 6 7 8 9 10 11\n", "P2", "11 numbers");
  check("many", "P2: 1 2 3 4 5 6 7 8 9 10 11 12 13\n", "P2", "13 numbers");
  check("text", "P2: 1 2 3 four 5 6 7 8 9 10 11 12\n", "P2", "\"four\"");
  check("nan", "P2: 1 2 3 nan 5 6 7 8 9 10 11 12\n", "P2", "\"nan\"");
  check("overflow", "P2: 1 2 3 1e999 5 6 7 8 9 10 11 12\n", "P2", "\"1e999\"");
  check("huge", std::string(2 << 20, ' '), "at most 1048576 bytes", "2097152");
  expect_one_line(read(dir / "none"), (dir / "none").string(), "no such file");
  expect_one_line(read(dir.path()), dir.path().string(), "a directory");
}

TEST(Calibration, TheRawLayoutNamesTheFileThatIsWrong) {
  const TempDir dir;
  dir.write("calib_velo_to_cam.txt", "R: 1 0 0 0 1 0 0 0 1\nT: 0 0 0\n");
  dir.write("calib_cam_to_cam.txt", "P_rect_02: 1 0 0 0 0 1 0 0 0 0 1 0\n");
  expect_one_line(
      [&] {
        read_calibration({FileLayout::raw, dir.path()});
      },
      (dir / "calib_cam_to_cam.txt").string() + ": expected R_rect_00", "no R_rect_00");
}

}  // namespace
}  // namespace roadplane::kitti
