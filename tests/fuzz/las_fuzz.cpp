#include "fuzz.hpp"
#include "las_file.hpp"

// Any content of a .las file: points, or an InputError.
void roadplane::fuzz(std::span<const std::byte> content) {
  require(!kitti::decode_las(content, "fuzz").empty());
}
