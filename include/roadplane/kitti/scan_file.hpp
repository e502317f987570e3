#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "roadplane/base/file_reader.hpp"
#include "roadplane/base/mapped_file.hpp"
#include "roadplane/geometry/point.hpp"
#include "roadplane/geometry/scan_share.hpp"

namespace roadplane::kitti {

/// A velodyne `.bin` file: 16 bytes a point, little-endian floats x, y, z, reflectance, no header.
/// The points are the file's own pages, nothing is copied. Values are not judged here: NaN and
/// missing returns keep their index, and HomogeneousCloud leaves them out.
class ScanFile {
 public:
  /// Throws InputError for an empty file or a size that is not a multiple of 16.
  explicit ScanFile(const std::filesystem::path& path,
                    MappedFile::Access access = MappedFile::Access::all);

  PointSpan points() const { return points_; }
  std::size_t size() const { return points_.size(); }

 private:
  MappedFile file_;
  PointSpan points_;
};

/// The same file read in pieces, for a scan of which a process holds a part only.
class ScanReader final : public PointSource {
 public:
  /// Throws InputError as ScanFile does.
  explicit ScanReader(const std::filesystem::path& path);

  std::size_t size() const override { return file_.size() / sizeof(Point); }
  void read(std::size_t first, std::span<Point> into) const override;

 private:
  FileReader file_;
};

void write_scan(const std::filesystem::path& path, PointSpan points);

}  // namespace roadplane::kitti
