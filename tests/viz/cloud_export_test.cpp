#include "roadplane/viz/cloud_export.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "roadplane/base/input_error.hpp"
#include "roadplane/evaluation/class_set.hpp"
#include "viz/scene.hpp"

namespace roadplane::viz {
namespace {

struct Record {
  Point point;
  Color color;
  std::uint32_t label = 0;
};

struct CloudFile {
  std::vector<std::string> header;
  std::string body;
};

/// Header lines up to and with the one that starts with `last`, then the rest.
CloudFile read_cloud_file(const std::filesystem::path& path, const std::string& last) {
  std::ifstream file(path, std::ios::binary);
  CloudFile result;
  for (std::string line; std::getline(file, line);) {
    result.header.push_back(line);
    if (line.starts_with(last)) break;
  }
  std::ostringstream body;
  body << file.rdbuf();
  result.body = body.str();
  return result;
}

bool has_line(const CloudFile& file, const std::string& line) {
  return std::ranges::find(file.header, line) != file.header.end();
}

std::vector<Record> read_ply(const std::filesystem::path& path) {
  const CloudFile file = read_cloud_file(path, "end_header");
  EXPECT_EQ(file.header.front(), "ply");
  EXPECT_TRUE(has_line(file, "format binary_little_endian 1.0"));
  std::string properties;
  for (const auto& line : file.header) {
    if (line.starts_with("property")) properties += line.substr(9) + ", ";
  }
  EXPECT_EQ(properties,
            "float x, float y, float z, float intensity, uchar red, uchar green, uchar blue, "
            "uint label, ");
  constexpr std::size_t kBytes = 23;
  EXPECT_EQ(file.body.size() % kBytes, 0U);
  std::vector<Record> records(file.body.size() / kBytes);
  EXPECT_TRUE(has_line(file, "element vertex " + std::to_string(records.size())));
  for (std::size_t i = 0; i < records.size(); ++i) {
    const char* in = file.body.data() + i * kBytes;
    std::memcpy(&records[i].point, in, 16);
    std::memcpy(&records[i].color, in + 16, 3);
    std::memcpy(&records[i].label, in + 19, 4);
  }
  return records;
}

std::vector<Record> read_pcd(const std::filesystem::path& path) {
  const CloudFile file = read_cloud_file(path, "DATA");
  EXPECT_EQ(file.header.back(), "DATA binary");
  EXPECT_TRUE(has_line(file, "FIELDS x y z intensity rgb label"));
  EXPECT_TRUE(has_line(file, "SIZE 4 4 4 4 4 4"));
  EXPECT_TRUE(has_line(file, "TYPE F F F F F U"));
  constexpr std::size_t kBytes = 24;
  EXPECT_EQ(file.body.size() % kBytes, 0U);
  std::vector<Record> records(file.body.size() / kBytes);
  EXPECT_TRUE(has_line(file, "POINTS " + std::to_string(records.size())));
  EXPECT_TRUE(has_line(file, "WIDTH " + std::to_string(records.size())));
  for (std::size_t i = 0; i < records.size(); ++i) {
    const char* in = file.body.data() + i * kBytes;
    std::uint32_t rgb = 0;
    std::memcpy(&records[i].point, in, 16);
    std::memcpy(&rgb, in + 16, 4);
    std::memcpy(&records[i].label, in + 20, 4);
    records[i].color = {static_cast<std::uint8_t>(rgb >> 16), static_cast<std::uint8_t>(rgb >> 8),
                        static_cast<std::uint8_t>(rgb)};
  }
  return records;
}

using Write = void (*)(const std::filesystem::path&, const LabelledCloud&, OverlayStyle,
                       std::span<const Eigen::Vector3d>);
using Read = std::vector<Record> (*)(const std::filesystem::path&);
struct Format {
  const char* name;
  Write write;
  Read read;
};
class CloudExport : public testing::TestWithParam<Format> {};

TEST_P(CloudExport, KeepsEveryPointColorAndLabel) {
  const ScratchFolder folder(std::string("export_") + GetParam().name);
  const Scene scene = make_scene();
  for (const auto style : {OverlayStyle::labels, OverlayStyle::truth, OverlayStyle::agents}) {
    GetParam().write(folder / "cloud", scene.cloud(), style, {});
    const auto records = GetParam().read(folder / "cloud");
    ASSERT_EQ(records.size(), scene.points.size());
    const Palette palette(style);
    for (std::size_t i = 0; i < records.size(); ++i) {
      ASSERT_EQ(records[i].point, scene.points[i]) << i;
      ASSERT_EQ(records[i].color, palette.color_of(scene.cloud(), i)) << i;
      ASSERT_EQ(records[i].label, scene.road[i] != 0 ? kRoadLabel : 0) << i;
    }
    EXPECT_EQ(folder.files(), 1U) << "no temporary file is left";
  }
}

TEST_P(CloudExport, KeepsUnusedPointsAndEmptyClouds) {
  const ScratchFolder folder(std::string("unused_") + GetParam().name);
  const Scan points = {{0, 0, 0, 0}, {std::numeric_limits<float>::quiet_NaN(), 1, 2, 0.5F}};
  const std::vector<std::uint8_t> road = {0, 0};
  GetParam().write(folder / "cloud", {.points = points, .road = road}, OverlayStyle::labels, {});
  const auto records = GetParam().read(folder / "cloud");
  ASSERT_EQ(records.size(), 2U);
  EXPECT_TRUE(std::isnan(records[1].point.x));
  GetParam().write(folder / "empty", {}, OverlayStyle::labels, {});
  EXPECT_TRUE(GetParam().read(folder / "empty").empty());
}

TEST_P(CloudExport, RefusesBadCloudsAndUnwritablePlaces) {
  const ScratchFolder folder(std::string("refuses_") + GetParam().name);
  const Scan points(2, Point{});
  const std::vector<std::uint8_t> one(1);
  const auto labels = OverlayStyle::labels;
  EXPECT_THROW(GetParam().write(folder / "cloud", {.points = points, .road = one}, labels, {}),
               std::invalid_argument);
  EXPECT_THROW(GetParam().write(folder / "missing/cloud", {}, labels, {}), InputError);
  EXPECT_EQ(folder.files(), 0U);
}

TEST_P(CloudExport, OtherPositionsAreDoublesOnlyWhereFloatsAreTooCoarse) {
  const ScratchFolder folder(std::string("positions_") + GetParam().name);
  const Scan points = {{1, 2, 3, 0.25F}, {4, 5, 6, 0.5F}};
  const std::vector<std::uint8_t> road = {0, 1};
  const LabelledCloud cloud{.points = points, .road = road};
  const std::vector<Eigen::Vector3d> near = {{10, 20, 30}, {0, 0, 0}};
  GetParam().write(folder / "near", cloud, OverlayStyle::labels, near);
  const auto records = GetParam().read(folder / "near");
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].point, (Point{10, 20, 30, 0.25F}));
  EXPECT_EQ(records[1].point, (Point{0, 0, 0, 0.5F}));
  EXPECT_EQ(records[1].label, kRoadLabel);

  const std::vector<Eigen::Vector3d> map = {{385123.123, 5812345.678, 30}, {385100, 5812300, 31}};
  GetParam().write(folder / "map", cloud, OverlayStyle::labels, map);
  const bool ply = std::string(GetParam().name) == "ply";
  const CloudFile file = read_cloud_file(folder / "map", ply ? "end_header" : "DATA");
  EXPECT_TRUE(has_line(file, ply ? "property double x" : "SIZE 8 8 8 4 4 4"));
  ASSERT_EQ(file.body.size(), 2U * (28 + (ply ? 7 : 8)));
  Eigen::Vector3d first;
  float reflectance = 0;
  std::memcpy(first.data(), file.body.data(), 24);
  std::memcpy(&reflectance, file.body.data() + 24, 4);
  EXPECT_EQ(first, map[0]);
  EXPECT_EQ(reflectance, 0.25F);
}

INSTANTIATE_TEST_SUITE_P(Formats, CloudExport,
                         testing::Values(Format{"ply", write_ply, read_ply},
                                         Format{"pcd", write_pcd, read_pcd}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace roadplane::viz
