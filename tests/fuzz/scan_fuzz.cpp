#include "fuzz.hpp"
#include "roadplane/kitti/scan_file.hpp"

// Any content of a .bin file: points, or an InputError.
void roadplane::fuzz(std::span<const std::byte> content) {
  const Scan scan = kitti::decode_scan(content, "fuzz");
  require(scan.size() * sizeof(Point) == content.size());
}
