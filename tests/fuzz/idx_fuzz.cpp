#include "file_in_memory.hpp"
#include "idx_file.hpp"

// Any content of an IDX file, packed or not.
void roadplane::fuzz(std::span<const std::byte> content) {
  const FileInMemory file(content);
  const IdxImages images = read_idx_images(file.path());
  require(images.count > 0 && images.pixels.size() == images.count * images.pixels_each());
}
