#include <algorithm>

#include "file_in_memory.hpp"
#include "nuscenes.hpp"

// Any pair of nuScenes' tables, parted by the first byte 0: scans with label files that are there.
void roadplane::fuzz(std::span<const std::byte> content) {
  namespace fs = std::filesystem;
  const fs::path root = Folder::path();
  fs::create_directories(root / "lidarseg" / "v1.0-x");
  fs::create_directories(root / "v1.0-x");
  file_of_folder("lidarseg/v1.0-x/t_lidarseg.bin", {});
  const auto middle = std::find(content.begin(), content.end(), std::byte{0});
  const auto rest = content.subspan(static_cast<std::size_t>(middle - content.begin()));
  file_of_folder("v1.0-x/sample_data.json", content.first(content.size() - rest.size()));
  file_of_folder("v1.0-x/lidarseg.json", rest.empty() ? rest : rest.subspan(1));
  for (const auto& [scan, labels] : kitti::lidarseg_files(root)) {
    require(fs::is_regular_file(labels));
  }
}
