#include "roadplane/viz/cloud_export.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "roadplane/base/file.hpp"
#include "roadplane/viz/palette.hpp"

namespace roadplane::viz {
namespace {

static_assert(std::endian::native == std::endian::little, "the files are little-endian");

/// Header and room for `records` of `record_bytes`; `write_record(i, out)` fills one.
template <class WriteRecord>
std::vector<std::byte> file_bytes(const std::string& header, std::size_t records,
                                  std::size_t record_bytes, WriteRecord write_record) {
  std::vector<std::byte> bytes(header.size() + records * record_bytes);
  std::memcpy(bytes.data(), header.data(), header.size());
  std::byte* out = bytes.data() + header.size();
  for (std::size_t i = 0; i < records; ++i, out += record_bytes) write_record(i, out);
  return bytes;
}

std::uint32_t label_of(const LabelledCloud& cloud, std::size_t i) {
  return cloud.road[i] != 0 ? kRoadLabel : 0;
}

}  // namespace

void write_ply(const std::filesystem::path& path, const LabelledCloud& cloud, OverlayStyle style) {
  validate(cloud, style);
  const std::string header =
      "ply\n"
      "format binary_little_endian 1.0\n"
      "comment roadplane, style " +
      std::string(to_string(style)) +
      "\n"
      "element vertex " +
      std::to_string(cloud.points.size()) +
      "\n"
      "property float x\n"
      "property float y\n"
      "property float z\n"
      "property float intensity\n"
      "property uchar red\n"
      "property uchar green\n"
      "property uchar blue\n"
      "property uint label\n"
      "end_header\n";
  const Palette palette(style);
  constexpr std::size_t kRecordBytes = sizeof(Point) + 3 + sizeof(std::uint32_t);
  const auto bytes =
      file_bytes(header, cloud.points.size(), kRecordBytes, [&](std::size_t i, std::byte* out) {
        const Color color = palette.color_of(cloud, i);
        const std::array<std::uint8_t, 3> rgb = {color.r, color.g, color.b};
        const std::uint32_t label = label_of(cloud, i);
        std::memcpy(out, &cloud.points[i], sizeof(Point));
        std::memcpy(out + sizeof(Point), rgb.data(), rgb.size());
        std::memcpy(out + sizeof(Point) + rgb.size(), &label, sizeof(label));
      });
  write_file_atomically(path, bytes);
}

void write_pcd(const std::filesystem::path& path, const LabelledCloud& cloud, OverlayStyle style) {
  validate(cloud, style);
  const std::string count = std::to_string(cloud.points.size());
  const std::string header =
      "# .PCD v0.7 - Point Cloud Data file format\n"
      "VERSION 0.7\n"
      "FIELDS x y z intensity rgb label\n"
      "SIZE 4 4 4 4 4 4\n"
      "TYPE F F F F F U\n"
      "COUNT 1 1 1 1 1 1\n"
      "WIDTH " +
      count +
      "\n"
      "HEIGHT 1\n"
      "VIEWPOINT 0 0 0 1 0 0 0\n"
      "POINTS " +
      count +
      "\n"
      "DATA binary\n";
  const Palette palette(style);
  constexpr std::size_t kRecordBytes = sizeof(Point) + 2 * sizeof(std::uint32_t);
  const auto bytes =
      file_bytes(header, cloud.points.size(), kRecordBytes, [&](std::size_t i, std::byte* out) {
        const Color color = palette.color_of(cloud, i);
        // PCL's convention: the bits 0x00RRGGBB, declared as a float.
        const std::array<std::uint32_t, 2> tail = {
            std::uint32_t{color.r} << 16 | std::uint32_t{color.g} << 8 | color.b,
            label_of(cloud, i)};
        std::memcpy(out, &cloud.points[i], sizeof(Point));
        std::memcpy(out + sizeof(Point), tail.data(), sizeof(tail));
      });
  write_file_atomically(path, bytes);
}

}  // namespace roadplane::viz
