#include "roadplane/kitti/fleet.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fleet_pose.hpp"
#include "folder.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/kitti/dataset.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScanEnd = "_lidar";

std::optional<double> whole_number(const std::string& name) {
  const auto number = parse_number(name);
  const bool whole = number && std::isfinite(*number) && *number == std::floor(*number);
  return whole ? number : std::nullopt;
}

/// By number. 7 and 07 are two folders of one vehicle, and nobody knows which is right: both are
/// left out.
void put_in_order(Fleet& fleet) {
  std::vector<std::string>& names = fleet.vehicles;
  std::stable_sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return whole_number(a).value_or(0) < whole_number(b).value_or(0);
  });
  std::map<double, std::vector<std::string>> by_number;
  for (const std::string& name : names) by_number[whole_number(name).value_or(0)].push_back(name);
  for (const auto& [number, same] : by_number) {
    if (same.size() == 1) continue;
    std::string found;
    for (const std::string& name : same) {
      found += (found.empty() ? "" : " and ") + in_quotes(name);
      std::erase(names, name);
    }
    fleet.remarks.push_back(fleet.root.string() + ": expected one vehicle of each number, found " +
                            found + "; they are left out");
  }
}

/// Folders whose names are numbers; whatever else there is, other programs have put there.
std::vector<std::string> vehicle_folders(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::path& inside : folders_in(folder)) {
    const std::string name = inside.filename().string();
    if (whole_number(name)) names.push_back(name);
  }
  return names;
}

std::vector<std::string> vehicles_of_moment(const fs::path& folder) {
  std::set<std::string> names;
  for (const fs::path& file : files_in(folder, {".pcd", ".yaml"})) {
    std::string stem = stem_of(file);
    if (stem.ends_with(kScanEnd)) stem.resize(stem.size() - std::string(kScanEnd).size());
    if (whole_number(stem)) names.insert(stem);
  }
  return {names.begin(), names.end()};
}

bool holds_scans_of_a_moment(const fs::path& folder) {
  const auto scans = files_in(folder, {".pcd"});
  return std::any_of(scans.begin(), scans.end(),
                     [](const fs::path& scan) { return stem_of(scan).ends_with(kScanEnd); });
}

Fleet convoy(const fs::path& path, const std::string& members) {
  const Dataset dataset = open_dataset(path);
  Fleet fleet{Fleet::Layout::convoy, dataset.root, {}, {}, {}};
  if (dataset.layout != Layout::odometry) {
    throw FieldError("members", "an odometry sequence with poses",
                     std::string(to_string(dataset.layout)) + " at " + path.string());
  }
  std::set<int> seen;
  for (const std::string& word : split_list(members)) {
    const auto number = whole_number(word);
    const auto frame = std::find_if(dataset.frames.begin(), dataset.frames.end(),
                                    [&](const Frame& f) { return number && f.number == *number; });
    if (frame == dataset.frames.end()) {
      throw FieldError("members", "numbers of frames of " + path.string(), in_quotes(word));
    }
    if (!seen.insert(frame->number).second) {
      throw FieldError("members", "every frame once", in_quotes(word) + " twice");
    }
    fleet.frames.push_back(*frame);
    fleet.vehicles.push_back(std::to_string(frame->number));
  }
  return fleet;
}

fs::path pose_file(const Fleet& fleet, std::size_t vehicle, const std::string& moment) {
  const std::string& name = fleet.vehicles[vehicle];
  return fleet.layout == Fleet::Layout::scenario ? fleet.root / name / (moment + ".yaml")
                                                 : fleet.root / (name + ".yaml");
}

Frame frame_at(const Fleet& fleet, std::size_t vehicle, const std::string& moment) {
  if (fleet.layout == Fleet::Layout::convoy) return fleet.frames[vehicle];
  const std::string& name = fleet.vehicles[vehicle];
  const bool scenario = fleet.layout == Fleet::Layout::scenario;
  Frame frame;
  frame.sequence = scenario ? name : fleet.root.filename().string();
  frame.scan =
      scenario ? fleet.root / name / (moment + ".pcd") : fleet.root / (name + kScanEnd + ".pcd");
  frame.number = last_number(scenario ? moment : name).value_or(0);
  const fs::path label = scenario ? fleet.root / name / (moment + ".label")
                                  : fleet.root / (name + kScanEnd + ".label");
  if (is_file(label)) frame.label = label;
  return frame;
}

}  // namespace

Fleet open_fleet(const fs::path& path, const std::string& members) {
  if (!members.empty()) return convoy(path, members);
  const fs::path root = fs::absolute(path).lexically_normal();
  if (!is_folder(root)) throw InputError(path.string(), "a folder of vehicles", "none");
  Fleet fleet{Fleet::Layout::scenario, root, vehicle_folders(root), {}, {}};
  const auto inside = folders_in(root);
  if (fleet.vehicles.empty() && holds_scans_of_a_moment(root)) {
    fleet.layout = Fleet::Layout::moment;
    fleet.vehicles = vehicles_of_moment(root);
  } else if (fleet.vehicles.empty() && inside.size() == 1 && !is_folder(root / "velodyne")) {
    return open_fleet(inside.front());  // one scenario
  }
  if (fleet.vehicles.empty()) {
    throw InputError(path.string(),
                     "SCENARIO/VEHICLE/NNNNN.pcd and .yaml, N_lidar.pcd and N.yaml, or an "
                     "odometry sequence of which some frames are chosen as members",
                     describe_entries(root));
  }
  put_in_order(fleet);
  return fleet;
}

std::vector<std::string> moments_of(const Fleet& fleet, std::size_t vehicle) {
  if (fleet.layout == Fleet::Layout::convoy) return {"convoy"};
  if (fleet.layout == Fleet::Layout::moment) return {fleet.root.filename().string()};
  std::set<std::string> names;
  for (const fs::path& file : files_in(fleet.root / fleet.vehicles[vehicle], {".pcd", ".yaml"})) {
    const std::string stem = stem_of(file);
    if (parse_count(stem)) names.insert(stem);
  }
  return {names.begin(), names.end()};
}

VehicleScan read_vehicle(const Fleet& fleet, std::size_t vehicle, const std::string& moment) {
  VehicleScan found;
  found.frame = frame_at(fleet, vehicle, moment);
  if (fleet.layout == Fleet::Layout::convoy) {
    found.pose = read_odometry_pose(found.frame);
  } else {
    const PoseFile file = read_pose_file(pose_file(fleet, vehicle, moment));
    found.pose = file.pose;
    found.true_pose = file.true_pose;
    found.true_ground = file.true_ground;
  }
  found.points = load_scan(found.frame);
  return found;
}

}  // namespace roadplane::kitti
