#include "roadplane/kitti/scan_file.hpp"

#include <bit>
#include <cstring>

#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"

namespace roadplane::kitti {
namespace {

static_assert(std::endian::native == std::endian::little, "the files are used as they lie on disk");

std::size_t checked_count(std::size_t bytes, const std::string& where) {
  const std::string expected = "points of 16 bytes (x y z reflectance)";
  if (bytes == 0) throw InputError(where, expected, "an empty file");
  if (bytes % sizeof(Point) != 0) {
    throw InputError(where, expected, std::to_string(bytes) + " bytes, not a multiple of 16");
  }
  return bytes / sizeof(Point);
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

Scan decode_scan(std::span<const std::byte> bytes, const std::string& where) {
  Scan scan(checked_count(bytes.size(), where));
  std::memcpy(scan.data(), bytes.data(), bytes.size());
  return scan;
}

std::size_t count_points(const std::filesystem::path& path) {
  return ScanFile(path, MappedFile::Access::some).size();
}

void write_scan(const std::filesystem::path& path, PointSpan points) {
  write_file_atomically(path, std::as_bytes(points));
}

}  // namespace roadplane::kitti
