#include "roadplane/kitti/scan_file.hpp"

#include <bit>

#include "roadplane/base/file.hpp"
#include "roadplane/kitti/raw_format.hpp"

namespace roadplane::kitti {
namespace {

static_assert(std::endian::native == std::endian::little, "the files are used as they lie on disk");

std::size_t checked_count(std::size_t bytes, const std::string& where) {
  return raw_points(bytes, RawFormat::kitti, where);
}

}  // namespace

ScanFile::ScanFile(const std::filesystem::path& path, MappedFile::Access access)
    : file_(path, access) {
  const std::size_t count = checked_count(file_.bytes().size(), path.string());
  points_ = {reinterpret_cast<const Point*>(file_.bytes().data()), count};
}

ScanReader::ScanReader(const std::filesystem::path& path) : file_(path) {
  checked_count(file_.size(), path.string());
}

void ScanReader::read(std::size_t first, std::span<Point> into) const {
  file_.read(first * sizeof(Point), std::as_writable_bytes(into));
}

void write_scan(const std::filesystem::path& path, PointSpan points) {
  write_file_atomically(path, std::as_bytes(points));
}

}  // namespace roadplane::kitti
