#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "roadplane/base/file_reader.hpp"
#include "roadplane/geometry/point.hpp"
#include "roadplane/geometry/scan_share.hpp"

namespace roadplane::kitti {

/// A velodyne `.bin` file: 16 bytes a point, little-endian floats x, y, z, reflectance, no header,
/// read in pieces. Values are not judged here: NaN and missing returns keep their index, and
/// HomogeneousCloud leaves them out.
class ScanReader final : public PointSource {
 public:
  /// Throws InputError for an empty file or a size that is not a multiple of 16.
  explicit ScanReader(const std::filesystem::path& path);

  std::size_t size() const override { return file_.size() / sizeof(Point); }
  void read(std::size_t first, std::span<Point> into) const override;

 private:
  FileReader file_;
};

void write_scan(const std::filesystem::path& path, PointSpan points);

}  // namespace roadplane::kitti
