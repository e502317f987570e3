#include "roadplane/kitti/scan_file.hpp"

#include <bit>

#include "roadplane/base/file.hpp"
#include "roadplane/kitti/raw_format.hpp"

namespace roadplane::kitti {
namespace {

static_assert(std::endian::native == std::endian::little, "the files are used as they lie on disk");

}  // namespace

ScanReader::ScanReader(const std::filesystem::path& path) : file_(path) {
  raw_points(file_.size(), RawFormat::kitti, path.string());  // throws where they are not whole
}

void ScanReader::read(std::size_t first, std::span<Point> into) const {
  file_.read(first * sizeof(Point), std::as_writable_bytes(into));
}

void write_scan(const std::filesystem::path& path, PointSpan points) {
  write_file_atomically(path, std::as_bytes(points));
}

}  // namespace roadplane::kitti
