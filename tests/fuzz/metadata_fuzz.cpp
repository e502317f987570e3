#include "file_in_memory.hpp"
#include "recordings/bag_metadata.hpp"

// Any metadata.yaml of a bag: it names files of its own folder only.
void roadplane::fuzz(std::span<const std::byte> content) {
  const std::filesystem::path folder = file_of_folder("metadata.yaml", content).parent_path();
  for (const std::filesystem::path& file : kitti::read_bag_metadata(folder).files) {
    require(file.lexically_normal().parent_path() == folder);
  }
}
