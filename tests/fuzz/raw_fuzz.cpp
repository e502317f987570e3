#include "fuzz.hpp"
#include "roadplane/kitti/raw_format.hpp"

// Any content of a raw file in any format: points, or an InputError.
void roadplane::fuzz(std::span<const std::byte> content) {
  if (content.empty()) return;
  const auto format = static_cast<kitti::RawFormat>(std::to_integer<int>(content.front()) % 5);
  const auto bytes = content.subspan(1);
  require(kitti::decode_raw(bytes, format, "fuzz").size() ==
          kitti::raw_points(bytes.size(), format, "fuzz"));
}
