#include "roadplane/kitti/label_file.hpp"

#include <cstring>

#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"

namespace roadplane::kitti {

Labels decode_labels(std::span<const std::byte> bytes, std::size_t points,
                     const std::string& where) {
  if (bytes.size() % sizeof(std::uint32_t) != 0) {
    throw InputError(where, "labels of 4 bytes",
                     std::to_string(bytes.size()) + " bytes, not a multiple of 4");
  }
  const std::size_t count = bytes.size() / sizeof(std::uint32_t);
  if (count != points) {
    throw InputError(where, std::to_string(points) + " labels, one for each point of the scan",
                     std::to_string(count));
  }
  Labels labels(count);
  if (count > 0) std::memcpy(labels.data(), bytes.data(), bytes.size());
  return labels;
}

Labels read_labels(const std::filesystem::path& path, std::size_t points) {
  return decode_labels(read_file(path), points, path.string());
}

void write_labels(const std::filesystem::path& path, std::span<const std::uint32_t> labels) {
  write_file_atomically(path, std::as_bytes(labels));
}

}  // namespace roadplane::kitti
