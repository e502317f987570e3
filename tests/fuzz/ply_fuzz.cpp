#include "cloud_header.hpp"
#include "fuzz.hpp"

// Any content of a PLY file. A point takes at least three bytes of data.
void roadplane::fuzz(std::span<const std::byte> content) {
  const kitti::CloudHeader header = kitti::check_ply(content, "fuzz");
  require(header.points > 0 && header.points <= content.size());
}
