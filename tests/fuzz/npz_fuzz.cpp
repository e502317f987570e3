#include "fuzz.hpp"
#include "npz_file.hpp"

// Any content of a .npz archive: the bytes of an array in it, no more than zlib could have packed.
void roadplane::fuzz(std::span<const std::byte> content) {
  constexpr std::size_t kMostShrinking = 2000;
  require(kitti::points_in_npz(content, "fuzz").size() <= kMostShrinking * (1 + content.size()));
}
