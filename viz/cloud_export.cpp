#include "roadplane/viz/cloud_export.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "roadplane/base/file.hpp"
#include "roadplane/evaluation/class_set.hpp"
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

/// Where the points are, and as what numbers that is written.
class Places {
 public:
  Places(const LabelledCloud& cloud, std::span<const Eigen::Vector3d> positions)
      : cloud_(cloud), positions_(positions) {
    constexpr double kFarM = 8192;  // [m] from where on floats are a millimetre apart
    for (const Eigen::Vector3d& p : positions)
      doubles_ = doubles_ || p.cwiseAbs().maxCoeff() > kFarM;
  }

  bool doubles() const { return doubles_; }
  /// Of x, y, z and the reflectance.
  std::size_t bytes() const {
    return (doubles_ ? 3 * sizeof(double) : 3 * sizeof(float)) + sizeof(float);
  }

  /// Returns where the next field goes.
  std::byte* write(std::size_t i, std::byte* out) const {
    Point point = cloud_.points[i];
    if (doubles_) {
      std::memcpy(out, positions_[i].data(), 3 * sizeof(double));
      std::memcpy(out + 3 * sizeof(double), &point.reflectance, sizeof(float));
      return out + bytes();
    }
    if (!positions_.empty()) {
      const Eigen::Vector3f p = positions_[i].cast<float>();
      point = {p.x(), p.y(), p.z(), point.reflectance};
    }
    std::memcpy(out, &point, sizeof(Point));
    return out + bytes();
  }

 private:
  const LabelledCloud& cloud_;
  std::span<const Eigen::Vector3d> positions_;
  bool doubles_ = false;
};

std::uint32_t label_of(const LabelledCloud& cloud, std::size_t i) {
  return cloud.road[i] != 0 ? kRoadLabel : 0;
}

}  // namespace

void write_ply(const std::filesystem::path& path, const LabelledCloud& cloud, OverlayStyle style,
               std::span<const Eigen::Vector3d> positions) {
  validate(cloud, style);
  const Places places(cloud, positions);
  const std::string number = places.doubles() ? "double" : "float";
  const std::string header =
      "ply\n"
      "format binary_little_endian 1.0\n"
      "comment roadplane, style " +
      std::string(to_string(style)) +
      "\n"
      "element vertex " +
      std::to_string(cloud.points.size()) + "\nproperty " + number + " x\nproperty " + number +
      " y\nproperty " + number +
      " z\n"
      "property float intensity\n"
      "property uchar red\n"
      "property uchar green\n"
      "property uchar blue\n"
      "property uint label\n"
      "end_header\n";
  const Palette palette(style);
  const std::size_t record_bytes = places.bytes() + 3 + sizeof(std::uint32_t);
  const auto bytes =
      file_bytes(header, cloud.points.size(), record_bytes, [&](std::size_t i, std::byte* out) {
        const Color color = palette.color_of(cloud, i);
        const std::array<std::uint8_t, 3> rgb = {color.r, color.g, color.b};
        const std::uint32_t label = label_of(cloud, i);
        out = places.write(i, out);
        std::memcpy(out, rgb.data(), rgb.size());
        std::memcpy(out + rgb.size(), &label, sizeof(label));
      });
  write_file_atomically(path, bytes);
}

void write_pcd(const std::filesystem::path& path, const LabelledCloud& cloud, OverlayStyle style,
               std::span<const Eigen::Vector3d> positions) {
  validate(cloud, style);
  const Places places(cloud, positions);
  const std::string count = std::to_string(cloud.points.size());
  const std::string header =
      "# .PCD v0.7 - Point Cloud Data file format\n"
      "VERSION 0.7\n"
      "FIELDS x y z intensity rgb label\n"
      "SIZE " +
      std::string(places.doubles() ? "8 8 8" : "4 4 4") +
      " 4 4 4\n"
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
  const std::size_t record_bytes = places.bytes() + 2 * sizeof(std::uint32_t);
  const auto bytes =
      file_bytes(header, cloud.points.size(), record_bytes, [&](std::size_t i, std::byte* out) {
        const Color color = palette.color_of(cloud, i);
        // PCL's convention: the bits 0x00RRGGBB, declared as a float.
        const std::array<std::uint32_t, 2> tail = {
            std::uint32_t{color.r} << 16 | std::uint32_t{color.g} << 8 | color.b,
            label_of(cloud, i)};
        std::memcpy(places.write(i, out), tail.data(), sizeof(tail));
      });
  write_file_atomically(path, bytes);
}

}  // namespace roadplane::viz
