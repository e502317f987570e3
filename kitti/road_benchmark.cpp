#include "road_benchmark.hpp"

#include <algorithm>
#include <array>

#include "folder.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;

bool is_road_picture(const fs::path& file) {
  constexpr std::array<std::string_view, 3> kNames{"um_road_", "umm_road_", "uu_road_"};
  const std::string name = file.filename().string();
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view known) { return name.starts_with(known); });
}

}  // namespace

bool is_road_split(const fs::path& folder) {
  if (is_folder(folder / "velodyne")) return is_folder(folder / "gt_image_2");
  if (!holds_any(folder, {".bin"}) || !holds_any(folder, {".png"})) return false;
  const std::vector<fs::path> pictures = files_in(folder, {".png"});
  return std::any_of(pictures.begin(), pictures.end(), is_road_picture);
}

std::optional<fs::path> find_road_picture(const fs::path& folder, std::string stem) {
  const std::size_t kind = stem.find('_');
  if (kind == std::string::npos) return std::nullopt;
  return find_file(folder, stem.insert(kind, "_road"), {".png"});
}

}  // namespace roadplane::kitti
