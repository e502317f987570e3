#include "recording_fuzz.hpp"
#include "recordings/packed_message.hpp"

// Any message of any type that is read, in both encodings: the first byte says which. One that is
// packed by itself is unpacked.
void roadplane::fuzz(std::span<const std::byte> content) {
  if (content.empty()) return;
  constexpr std::string_view kTypes[] = {kitti::kCloudType, kitti::kImageType,
                                         kitti::kCompressedImageType, kitti::kCameraInfoType,
                                         kitti::kTransformsType};
  if (kitti::is_packed(content.subspan(1))) {
    constexpr std::uint64_t kMost = 1 << 20;
    require(kitti::unpacked(content.subspan(1), kMost, "fuzz").size() <= kMost);
    return;
  }
  const auto choice = std::to_integer<std::size_t>(content[0]) % 10;
  read_as_its_type(content.subspan(1), std::string(kTypes[choice / 2]),
                   choice % 2 == 0 ? "cdr" : "ros1");
}
