#include "roadplane/kitti/label_file.hpp"

#include <cstring>

#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/recycled.hpp"
#include "roadplane/evaluation/class_set.hpp"

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

void write_road(const std::filesystem::path& path, std::span<const std::uint8_t> road) {
  RecycledVector<std::uint32_t> labels(road.size());
  for (std::size_t k = 0; k < labels.size(); ++k) labels[k] = road[k] != 0 ? kRoadLabel : 0;
  write_labels(path, labels);
}

std::vector<std::uint8_t> read_road(const std::filesystem::path& path, std::size_t points) {
  const Labels labels = read_labels(path, points);
  std::vector<std::uint8_t> road(points);
  for (std::size_t k = 0; k < points; ++k) road[k] = labels[k] == kRoadLabel ? 1 : 0;
  return road;
}

}  // namespace roadplane::kitti
