#include "roadplane/kitti/raw_format.hpp"

#include <array>
#include <cstring>

#include "folder.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/kitti/scan_stream.hpp"

namespace roadplane::kitti {
namespace {

struct Record {
  std::string_view name;
  std::size_t floats = 0;
  const char* columns = "";
  float intensity_range = 1;  ///< what a full reflectance is
  bool y_forward = false;     ///< x is to the right then
};

/// In the order of RawFormat.
constexpr std::array<Record, 5> kRecords{{
    {"kitti", 4, "x y z reflectance"},
    {"nuscenes", 5, "x y z intensity ring", 255, true},
    {"xyz", 3, "x y z"},
    {"xyzi", 4, "x y z intensity"},
    {"xyzir", 5, "x y z intensity ring"},
}};

const Record& record_of(RawFormat format) { return kRecords[static_cast<std::size_t>(format)]; }

}  // namespace

RawFormat raw_format_from_string(std::string_view name) {
  std::vector<std::string_view> names;
  for (std::size_t k = 0; k < kRecords.size(); ++k) {
    if (kRecords[k].name == name) return static_cast<RawFormat>(k);
    names.push_back(kRecords[k].name);
  }
  throw FieldError("format", alternatives(names), in_quotes(name));
}

RawFormat raw_format_of_name(const std::filesystem::path& path) {
  const bool native = lower_extension(path) == ".bin" && lower_extension(path.stem()) == ".pcd";
  return native ? RawFormat::nuscenes : RawFormat::kitti;
}

std::size_t point_bytes(RawFormat format) { return record_of(format).floats * sizeof(float); }

bool are_points(RawFormat format) {
  return format == RawFormat::kitti || format == RawFormat::xyzi;
}

std::size_t raw_points(std::size_t bytes, RawFormat format, const std::string& where) {
  const Record& record = record_of(format);
  const std::size_t size = point_bytes(format);
  const std::string expected =
      "points of " + std::to_string(size) + " bytes (" + record.columns + ")";
  if (bytes == 0) throw InputError(where, expected, "an empty file");
  if (bytes % size != 0) {
    throw InputError(where, expected,
                     std::to_string(bytes) + " bytes, not a multiple of " + std::to_string(size));
  }
  return bytes / size;
}

Scan decode_raw(std::span<const std::byte> bytes, RawFormat format, const std::string& where) {
  const Record& record = record_of(format);
  Scan scan(raw_points(bytes.size(), format, where));
  if (are_points(format)) {
    std::memcpy(scan.data(), bytes.data(), bytes.size());
    return scan;
  }
  const std::byte* next = bytes.data();
  for (Point& point : scan) {
    std::array<float, 4> values{};
    std::memcpy(values.data(), next, std::min(record.floats, values.size()) * sizeof(float));
    next += record.floats * sizeof(float);
    point = {values[0], values[1], values[2], values[3] / record.intensity_range};
    if (record.y_forward) {
      point.x = values[1];
      point.y = -values[0];
    }
  }
  return scan;
}

}  // namespace roadplane::kitti
