#include "roadplane/kitti/extrinsics_file.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/kitti/rigid_transform.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = 1 << 20;
constexpr const char* kExpected = "lines of NAME: x,y,z,roll,pitch,yaw [m, deg]";

/// What follows "key:" on a line, without blanks around it; nothing if the line has no colon.
std::optional<std::pair<std::string, std::string>> key_and_value(std::string_view line) {
  const auto trimmed = [](std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r");
    const std::size_t end = text.find_last_not_of(" \t\r");
    return begin == text.npos ? std::string() : std::string(text.substr(begin, end - begin + 1));
  };
  const std::size_t colon = line.find(':');
  if (colon == line.npos) return std::nullopt;
  return std::pair(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
}

std::vector<std::pair<std::string, std::string>> entries_of_text(const fs::path& file) {
  const std::string text = read_text_file(file, kMaxBytes);
  std::vector<std::pair<std::string, std::string>> entries;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = take_line(rest);
    std::string_view words = line;
    const std::string_view first = take_word(words);
    if (first.empty() || first.starts_with('#')) continue;
    const auto entry = key_and_value(line);
    if (!entry) throw InputError(file.string(), kExpected, in_quotes(line));
    entries.push_back(*entry);
  }
  return entries;
}

/// The names of the devices of OpenCalib's files: those of their scans, in a list beside them.
std::map<std::string, std::string> device_names(const fs::path& file) {
  const fs::path list = file.parent_path() / "lidar_cloud_path.txt";
  std::map<std::string, std::string> names;
  std::string device;
  for (const auto& [key, value] : entries_of_text(list)) {
    if (key == "device_id") device = value;
    if (key == "path") names[device] = fs::path(value).stem().string();
  }
  return names;
}

/// "roll pitch yaw x y z", in degrees and metres.
Eigen::Isometry3d of_device(const fs::path& file, const std::string& value) {
  std::vector<std::string> words;
  std::string_view rest = value;
  for (auto word = take_word(rest); !word.empty(); word = take_word(rest)) {
    words.emplace_back(word);
  }
  if (words.size() != 6) {
    throw InputError(file.string(), "six numbers (Roll,Pitch,Yaw,tx,ty,tz)", in_quotes(value));
  }
  std::string pose;
  for (const int k : {3, 4, 5, 0, 1, 2}) {
    pose += (pose.empty() ? "" : ",") + words[static_cast<std::size_t>(k)];
  }
  return transform_from_text(pose);
}

}  // namespace

std::vector<NamedExtrinsic> read_extrinsics(const fs::path& file) {
  std::vector<NamedExtrinsic> all;
  std::map<std::string, std::string> names;
  std::string device;
  for (const auto& [key, value] : entries_of_text(file)) {
    if (key == "device_id") {
      if (names.empty()) names = device_names(file);
      device = value;
      continue;
    }
    NamedExtrinsic extrinsic{key, Eigen::Isometry3d::Identity()};
    if (!device.empty()) {
      const auto name = names.find(device);
      if (name == names.end()) {
        throw InputError(file.string(), "devices that lidar_cloud_path.txt beside it names",
                         in_quotes(device));
      }
      extrinsic = {name->second, of_device(file, value)};
    } else {
      try {
        extrinsic.to_vehicle = transform_from_text(value);
      } catch (const InputError&) {
        throw InputError(file.string(), kExpected, in_quotes(key + ": " + value));
      }
    }
    for (const NamedExtrinsic& other : all) {
      if (other.name == extrinsic.name) {
        throw InputError(file.string(), "one extrinsic of a LiDAR", extrinsic.name + " twice");
      }
    }
    all.push_back(std::move(extrinsic));
  }
  if (all.empty()) throw InputError(file.string(), kExpected, "none");
  return all;
}

}  // namespace roadplane::kitti
