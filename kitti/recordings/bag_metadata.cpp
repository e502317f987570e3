#include "bag_metadata.hpp"

#include <yaml-cpp/yaml.h>

#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = std::size_t{4} << 20;

YAML::Node parsed(const fs::path& file) {
  const std::string text = read_text_file(file, kMostBytes);
  try {
    return YAML::Load(text);
  } catch (const YAML::Exception& error) {
    throw InputError(file.string(), "YAML", in_one_line(error.what()));
  }
}

/// A name in the folder itself: a bag leads nowhere else.
fs::path inside(const fs::path& folder, const std::string& name, const fs::path& file) {
  const fs::path path = fs::path(name);
  // rosbag2 before Foxy wrote the folder's name before that of the file.
  const bool plain = path.has_filename() &&
                     (path.parent_path().empty() || path.parent_path() == folder.filename());
  if (!plain || path.filename() == "..") {
    throw InputError(file.string(), "files of its own folder", in_quotes(name));
  }
  return folder / path.filename();
}

}  // namespace

BagMetadata read_bag_metadata(const fs::path& folder) {
  const fs::path file = folder / "metadata.yaml";
  const YAML::Node root = parsed(file);
  try {
    const YAML::Node bag = root["rosbag2_bagfile_information"];
    BagMetadata metadata;
    for (const YAML::Node& name : bag["relative_file_paths"]) {
      metadata.files.push_back(inside(folder, name.as<std::string>(), file));
    }
    if (!metadata.files.empty()) return metadata;
  } catch (const YAML::Exception&) {  // a value of another kind
  }
  throw InputError(file.string(), "rosbag2_bagfile_information with relative_file_paths",
                   "another file");
}

}  // namespace roadplane::kitti
