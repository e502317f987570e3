#include "plane_study_problems.hpp"

#include <algorithm>
#include <map>

#include "roadplane/evaluation/class_set.hpp"
#include "roadplane/evaluation/plane_distance.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/ground_truth.hpp"
#include "roadplane/kitti/synthetic/scene.hpp"

namespace plane_study {
namespace {

using namespace roadplane;

/// Recordings of one kind; the labelled ones come first.
constexpr struct {
  const char* set;
  const char* folder;
} kFolders[] = {{"annotated", "kitti/dpcp_annotations"},
                {"odometry", "kitti/odometry"},
                {"range_images", "kitti/range_images/00"},
                {"nuscenes", "lidar/nuscenes"},
                {"livox", "lidar/livox/00"},
                {"livox", "lidar/livox/01"},
                {"livox", "lidar/livox/02"},
                {"livox", "lidar/livox/03"},
                {"livox", "lidar/livox/04"},
                {"pandaset", "lidar/pandaset/001"},
                {"pandaset", "lidar/pandaset/002"},
                {"front_vlp32", "lidar/front_vlp32"},
                {"raw", "kitti/raw/2011_09_26"},
                {"object", "kitti/object/training"},
                {"road", "kitti/road"},
                {"pcd", "lidar/pcd"},
                {"convoy", "lidar/convoy"},
                {"fleet", "lidar/fleet"},
                {"three_lidars", "lidar/three_lidars"}};

struct Street {
  const char* set;
  const char* name;
  kitti::SceneOptions options;
};

std::vector<Street> all_streets() {
  return {{"street", "plain", {}},
          {"street", "70 %", {.outlier_share = 0.7}},
          {"street", "second plane", {.second_plane_share = 0.25}},
          {"street", "both", {.outlier_share = 0.7, .second_plane_share = 0.25}},
          {"street", "slopes", {.slope_deg = 6, .cross_slope_deg = 3}},
          {"street", "steep", {.slope_deg = 8}},
          {"street", "rough", {.roughness_m = 0.03}},
          {"street_85", "85 %", {.outlier_share = 0.85}},
          {"street_85", "85 % slopes", {.outlier_share = 0.85, .slope_deg = 4}},
          {"street_92", "92 %", {.outlier_share = 0.92}},
          {"street_92", "92 % slopes", {.outlier_share = 0.92, .slope_deg = 4}}};
}

void add_folder(const std::string& set, const std::filesystem::path& folder,
                std::vector<Problem>& problems) {
  if (!std::filesystem::exists(folder)) return;
  for (const kitti::Frame& frame : kitti::open_dataset(folder).frames) {
    Problem& problem = problems.emplace_back();
    problem.set = set;
    problem.name = frame.name();
    problem.recording = problem.name.substr(0, problem.name.find('/'));
    problem.scan = kitti::load_scan(frame);
    if (const auto truth = kitti::load_ground_truth(frame, problem.scan)) {
      problem.truth = truth->hyperplane;
      problem.mask = truth->mask;
    }
  }
}

void add_street(const Street& street, std::vector<Problem>& problems) {
  for (std::uint64_t seed = 31; seed <= 33; ++seed) {
    kitti::SceneOptions options = street.options;
    options.seed = seed;
    kitti::SyntheticFrame frame = kitti::SyntheticScene(options).frame(0);
    Problem& problem = problems.emplace_back();
    problem.set = street.set;
    problem.recording = std::to_string(seed);
    problem.name = std::string(street.name) + " " + problem.recording;
    problem.scan = std::move(frame.points);
    problem.truth = frame.road.hyperplane();
    problem.mask = ClassSet::road().mask(frame.labels);
  }
}

void split(std::vector<Problem>& problems) {
  std::map<std::string, std::vector<std::string>> recordings;
  std::map<std::string, int> frames;
  for (const Problem& problem : problems) {
    if (!problem.truth) continue;
    auto& of_set = recordings[problem.set];
    if (std::find(of_set.begin(), of_set.end(), problem.recording) == of_set.end()) {
      of_set.push_back(problem.recording);
    }
    ++frames[problem.set];
  }
  std::map<std::string, int> seen;
  for (Problem& problem : problems) {
    if (!problem.truth) continue;
    const auto& of_set = recordings[problem.set];
    const auto place = std::find(of_set.begin(), of_set.end(), problem.recording) - of_set.begin();
    const bool early = 2 * seen[problem.set]++ < frames[problem.set];
    problem.tuning = of_set.size() > 1 ? place % 2 == 0 : early;
  }
}

}  // namespace

Target Problem::target() const { return set == "annotated" ? Target::plane : Target::road; }

Eigen::Vector3d Problem::middle() const { return middle_of_near_points(scan, mask); }

std::set<std::string> set_names() {
  std::set<std::string> names;
  for (const auto& [set, folder] : kFolders) names.insert(set);
  for (const Street& street : all_streets()) names.insert(street.set);
  return names;
}

std::vector<Problem> problems_of(const Choice& choice) {
  const auto named = [&](const char* set) { return choice.sets.count(set) > 0; };
  std::vector<Problem> problems;
  for (const auto& [set, folder] : kFolders) {
    if (choice.sets.empty() || named(set)) add_folder(set, choice.data / folder, problems);
  }
  for (const Street& street : all_streets()) {
    const bool all = choice.streets && choice.sets.empty();
    if (all || named(street.set)) add_street(street, problems);
  }
  split(problems);
  return problems;
}

}  // namespace plane_study
