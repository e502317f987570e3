#include "cloud_header.hpp"
#include "fuzz.hpp"

// Any content of a PCD file. A point takes at least three bytes of data, or LZF's hundredth of it.
void roadplane::fuzz(std::span<const std::byte> content) {
  const kitti::CloudHeader header = kitti::check_pcd(content, "fuzz");
  require(header.points > 0 && header.points <= 100 * content.size());
}
