#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "las_file.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/kitti/cloud_file.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "support/input_error.hpp"
#include "support/temp_dir.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;
using test::expect_one_line;
using test::input_error_of;
using test::TempDir;

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), sizeof(T) * values.size()};
}

std::span<const std::byte> as_bytes(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

TEST(RawFormat, EachFormatHasItsRecords) {
  const std::string numbers = bytes_of<float>({1, 2, 3, 51, 7, -1, -2, -3, 255, 8});
  const auto read = [&](RawFormat format, std::size_t floats) {
    return decode_raw(as_bytes(numbers.substr(0, 4 * floats)), format, "here");
  };
  EXPECT_EQ(read(RawFormat::xyzir, 10), (Scan{{1, 2, 3, 51}, {-1, -2, -3, 255}}));
  EXPECT_EQ(read(RawFormat::xyzi, 4), (Scan{{1, 2, 3, 51}}));
  EXPECT_EQ(read(RawFormat::xyz, 6), (Scan{{1, 2, 3, 0}, {51, 7, -1, 0}}));
  // nuScenes: x is to the right, y forward, intensities go up to 255.
  EXPECT_EQ(read(RawFormat::nuscenes, 10), (Scan{{2, -1, 3, 0.2F}, {-2, 1, -3, 1}}));
  expect_one_line([&] { read(RawFormat::nuscenes, 9); }, "here", "36 bytes, not a multiple of 20");
}

TEST(RawFormat, NamesAreThoseOfTheCommandLine) {
  EXPECT_EQ(raw_format_from_string("xyzir"), RawFormat::xyzir);
  EXPECT_THROW(raw_format_from_string("xyzrgb"), FieldError);
  EXPECT_EQ(raw_format_of_name("a/b.pcd.bin"), RawFormat::nuscenes);
  EXPECT_EQ(raw_format_of_name("a/b.bin"), RawFormat::kitti);
}

/// A LAS file of points (i, 2i, -i) [m] in millimetres, moved by `offset`.
std::string las_file(int minor, int format, std::size_t record, std::uint32_t points,
                     double offset = 0) {
  std::string header(minor == 4 ? 375 : 227, '\0');
  const auto put = [&header](std::size_t at, auto value) {
    std::memcpy(header.data() + at, &value, sizeof value);
  };
  std::memcpy(header.data(), "LASF", 4);
  put(24, std::uint8_t{1});
  put(25, static_cast<std::uint8_t>(minor));
  put(94, static_cast<std::uint16_t>(header.size()));
  put(96, static_cast<std::uint32_t>(header.size()));
  put(104, static_cast<std::uint8_t>(format));
  put(105, static_cast<std::uint16_t>(record));
  if (minor < 4) put(107, points);
  if (minor == 4) put(247, std::uint64_t{points});
  for (int axis = 0; axis < 3; ++axis) {
    put(131 + 8 * static_cast<std::size_t>(axis), 0.001);
    put(155 + 8 * static_cast<std::size_t>(axis), offset);
  }
  for (std::uint32_t k = 0; k < points; ++k) {
    const auto i = static_cast<std::int32_t>(1000 * k);
    std::string one(record, '\0');
    const std::int32_t position[3] = {i, 2 * i, -i};
    const std::uint16_t intensity = 65535;
    std::memcpy(one.data(), position, sizeof position);
    std::memcpy(one.data() + 12, &intensity, sizeof intensity);
    header += one;
  }
  return header;
}

TEST(LasFile, VersionsAndPointFormatsAreReadAlike) {
  const TempDir dir;
  for (const auto& [minor, format, record] :
       {std::tuple{2, 0, 20}, {2, 3, 34}, {3, 1, 28}, {4, 6, 30}, {4, 8, 40}}) {
    const fs::path file =
        dir.write("a.las", las_file(minor, format, static_cast<std::size_t>(record), 3));
    EXPECT_EQ(read_scan(file), (Scan{{0, 0, 0, 1}, {1, 2, -1, 1}, {2, 4, -2, 1}})) << minor;
  }
}

TEST(LasFile, CoordinatesOfAMapAreMovedBeforeTheyAreRounded) {
  const TempDir dir;
  const double map = 4'500'000.125;
  const fs::path file = dir.write("a.las", las_file(2, 0, 20, 1000, map));
  EXPECT_NE(input_error_of([&] { read_scan(file); }).find("coordinates of a map"),
            std::string::npos);
  const ScanReading reading{.to_sensor = Eigen::Isometry3d(Eigen::Translation3d(-map, -map, -map))};
  const Scan scan = read_scan(file, reading);
  EXPECT_FLOAT_EQ(scan[1].x, 1);
  EXPECT_FLOAT_EQ(scan[999].y, 1998);
}

TEST(LasFile, BadFilesAreExplainedInOneLine) {
  const auto check = [](std::string content, const char* found) {
    expect_one_line([&] { decode_las(as_bytes(content), "here"); }, "here", found);
  };
  check("", "does not begin with LASF");
  check("LASF", "4 bytes");
  std::string good = las_file(2, 0, 20, 3);
  check(good.substr(0, good.size() - 1), "286 bytes");
  good[25] = 1;
  check(good, "1.1");
  good = las_file(2, 0, 20, 3);
  good[104] = static_cast<char>(0x80);
  check(good, "LAZ");
  good[104] = 11;
  check(good, "11");
  good[104] = 1;  // needs 28 bytes
  check(good, "20");
  check(las_file(2, 0, 20, 0), "none");
  check(las_file(4, 6, 30, 1).substr(0, 300), "300 bytes");
}

TEST(TableScan, NumpyAndTextArePoints) {
  const TempDir dir;
  EXPECT_EQ(read_scan(dir.write("a.xyz", "1 2 3\n4 5 6\n")), (Scan{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(read_scan(dir.write("a.csv", "x,y,z,i\n1,2,3,0.5\n4,5,nan,1\n")).size(), 2U);
  EXPECT_EQ(read_scan(dir.write("a.txt", "1 2 3 0.5\n")), (Scan{{1, 2, 3, 0.5F}}));
  EXPECT_EQ(read_scan(dir.write("a.asc", "# x y z\n1 2 3\n")), (Scan{{1, 2, 3}}));
  expect_one_line([&] { read_scan(dir.write("b.csv", "1,2\n")); }, (dir / "b.csv").string(),
                  "2 columns");
  expect_one_line([&] { read_scan(dir.write("c.csv", "1,2,3,4,5,6,7\n")); },
                  (dir / "c.csv").string(), "7 columns");
}

TEST(TableScan, OfTextFilesInAFolderThoseWithNumbersAreScans) {
  const TempDir dir;
  dir.write("text/calib.txt", "P2: 1 0 0\n");
  dir.write("text/000007.txt", "1 2 3 0.5\n");
  const Dataset text = open_dataset(dir / "text");
  ASSERT_EQ(text.frames.size(), 1U);
  EXPECT_EQ(text.frames[0].number, 7);
  dir.write("text/000008.csv", "1,2,3\n");
  EXPECT_EQ(open_dataset(dir / "text").frames[0].number, 8) << "certainly a scan";
}

TEST(ColumnCheck, RingNumbersAreNotHeights) {
  std::vector<float> numbers;
  for (int k = 0; k < 4000; ++k) {
    const float angle = 0.01F * static_cast<float>(k);
    numbers.insert(numbers.end(),
                   {20 * std::cos(angle), 20 * std::sin(angle), static_cast<float>(k % 16), 0.25F});
  }
  const TempDir dir;
  const fs::path file = dir.write("a.bin", bytes_of(numbers));
  EXPECT_NE(input_error_of([&] { read_scan(file); }).find("ring numbers in place of z"),
            std::string::npos);
}

TEST(Placement, AMissingReturnStaysOne) {
  const TempDir dir;
  const fs::path file = dir.write("a.bin", bytes_of<float>({0, 0, 0, 0, 1, 2, 3, 1}));
  const ScanReading reading{.to_sensor = Eigen::Isometry3d(Eigen::Translation3d(0, 0, -1))};
  EXPECT_EQ(read_scan(file, reading), (Scan{{0, 0, 0, 0}, {1, 2, 2, 1}}));
}

}  // namespace
}  // namespace roadplane::kitti
