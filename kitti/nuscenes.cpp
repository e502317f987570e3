#include "nuscenes.hpp"

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "folder.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/json/read_json.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kSuffix = "_lidarseg.bin";

/// SemanticKITTI's class for each of nuScenes' 32.
constexpr std::array<std::uint16_t, 32> kClasses{
    1,                           // noise
    99,                          // animal
    30, 30, 30, 30, 30, 30, 30,  // persons
    99, 99, 99, 99, 99,          // barrier, debris, pushable, traffic cone, bicycle rack
    11, 13, 13, 10, 20,          // bicycle, two kinds of bus, car, construction vehicle
    20, 20, 15, 20, 18,          // ambulance, police, motorcycle, trailer, truck
    40, 49, 48, 72,              // driveable, other flat, sidewalk, terrain
    50, 99, 70,                  // man-made, other static, vegetation
    0,                           // the ego vehicle
};

/// Two fields of every object of a table that is one long list, without keeping the rest of it.
std::map<std::string, std::string> columns_of(const fs::path& table, const std::string& key,
                                              const std::string& value) {
  std::ifstream file(table);
  std::map<std::string, std::string> rows;
  const auto keep = [&](int depth, json::parse_event_t event, json& parsed) {
    if (depth > static_cast<int>(kMostJsonLevels)) {
      throw InputError(table.string(), "a table of nuScenes", "JSON of too many levels");
    }
    if (event != json::parse_event_t::object_end || depth != 1) return true;
    if (parsed.contains(key) && parsed.contains(value) && parsed[key].is_string() &&
        parsed[value].is_string()) {
      rows.emplace(parsed[key].get<std::string>(), parsed[value].get<std::string>());
    }
    return false;
  };
  if (json::parse(file, keep, false).is_discarded()) {
    throw InputError(table.string(), "a table of nuScenes", "text that is not JSON");
  }
  return rows;
}

}  // namespace

bool is_lidarseg(const fs::path& path) { return path.filename().string().ends_with(kSuffix); }

Labels read_lidarseg(const fs::path& path, std::size_t points) {
  const FileBytes bytes = read_file(path);
  if (bytes.size() != points) {
    throw InputError(path.string(),
                     std::to_string(points) + " labels, one byte for each point of the scan",
                     std::to_string(bytes.size()));
  }
  Labels labels;
  labels.reserve(points);
  for (const std::byte byte : bytes) {
    const auto value = std::to_integer<std::size_t>(byte);
    if (value >= kClasses.size()) {
      throw InputError(path.string(), "classes 0 to 31 of nuScenes", std::to_string(value));
    }
    labels.push_back(kClasses[value]);
  }
  return labels;
}

std::map<std::string, fs::path> lidarseg_files(const fs::path& root) {
  std::map<std::string, fs::path> by_scan;
  if (!is_folder(root / "lidarseg")) return by_scan;
  for (const fs::path& version : folders_in(root / "lidarseg")) {
    for (const fs::path& file : files_in(version, {".bin"})) {
      std::string name = file.filename().string();
      if (name.ends_with(kSuffix)) by_scan[name.substr(0, name.size() - kSuffix.size())] = file;
    }
    const fs::path tables = root / version.filename();
    if (!is_file(tables / "lidarseg.json") || !is_file(tables / "sample_data.json")) continue;
    const auto scans = columns_of(tables / "sample_data.json", "token", "filename");
    for (const auto& [token, label] :
         columns_of(tables / "lidarseg.json", "sample_data_token", "filename")) {
      const auto scan = scans.find(token);
      if (scan == scans.end() || !is_file(root / label)) continue;
      by_scan[stem_of(scan->second)] = root / label;
    }
  }
  return by_scan;
}

}  // namespace roadplane::kitti
