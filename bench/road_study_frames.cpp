#include "road_study_frames.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <numeric>

#include "roadplane/base/input_error.hpp"
#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/evaluation/confusion.hpp"
#include "roadplane/evaluation/scoring.hpp"
#include "roadplane/ground/target.hpp"
#include "roadplane/kitti/dataset.hpp"

namespace road_study {
namespace {

using namespace roadplane;

constexpr struct {
  const char* set;
  const char* folder;
} kFolders[] = {{"kitti", "kitti/odometry"},    {"nuscenes", "lidar/nuscenes"},
                {"pandaset", "lidar/pandaset"}, {"range", "kitti/range_images/00"},
                {"livox", "lidar/livox/00"},    {"livox", "lidar/livox/01"},
                {"livox", "lidar/livox/02"},    {"livox", "lidar/livox/03"},
                {"livox", "lidar/livox/04"},    {"vlp32", "lidar/front_vlp32"}};

using Change = std::function<void(Scan&, std::vector<std::uint32_t>&)>;

Change turn_by(double deg) {
  return [deg](Scan& scan, std::vector<std::uint32_t>&) {
    const auto c = static_cast<float>(std::cos(deg * std::numbers::pi / 180));
    const auto s = static_cast<float>(std::sin(deg * std::numbers::pi / 180));
    for (Point& p : scan) p = {c * p.x - s * p.y, s * p.x + c * p.y, p.z, p.reflectance};
  };
}

template <class F>
Change reflect(const F& f) {
  return [f](Scan& scan, std::vector<std::uint32_t>&) {
    for (Point& p : scan) p.reflectance = f(p.reflectance);
  };
}

void thin(Scan& scan, std::vector<std::uint32_t>& labels) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < scan.size(); k += 2, ++kept) {
    scan[kept] = scan[k];
    labels[kept] = labels[k];
  }
  scan.resize(kept);
  labels.resize(kept);
}

const std::vector<std::pair<std::string, Change>>& changes() {
  static const std::vector<std::pair<std::string, Change>> all = {
      {"turned by 30 degrees", turn_by(30)},
      {"turned by 90 degrees", turn_by(90)},
      {"every second point", thin},
      {"reflectance 0.3 everywhere", reflect([](float) { return 0.3F; })},
      {"reflectance times 255", reflect([](float r) { return 255 * r; })},
      {"root of the reflectance", reflect([](float r) { return std::sqrt(std::max(0.0F, r)); })}};
  return all;
}

void change_frame(const std::string& name, Scan& scan, std::vector<std::uint32_t>& labels) {
  for (const auto& [known, change] : changes()) {
    if (known == name) change(scan, labels);
  }
}

/// As the program finds them.
std::vector<Eigen::Vector4d> planes_of(const Frame& frame) {
  const int agents = frame.shards.agents();
  PlaneOptions options;
  std::visit([](auto& o) { o.trace.end = false; }, options.solver);
  std::vector<HomogeneousCloud> clouds(static_cast<std::size_t>(agents));
  std::vector<int> all(clouds.size());
  std::iota(all.begin(), all.end(), 0);
  assign_shards(frame.scan, frame.shards, all, clouds, {columns_enough(options, agents)});
  LocalChannel channel(*frame.network);
  return find_plane(channel, clouds, options).w;
}

void add_folder(const Choice& choice, const std::filesystem::path& folder, Set& set) {
  for (const kitti::Frame& file : kitti::open_dataset(folder).frames) {
    if (!file.label) continue;
    Frame& frame = set.frames.emplace_back();
    frame.name = set.name + " " + file.name();
    frame.scan = kitti::load_scan(file);
    std::vector<std::uint32_t> labels = *kitti::load_labels(file, frame.scan.size());
    change_frame(choice.change, frame.scan, labels);
    // Many of a Livox's unlabelled points lie on the road.
    const Scoring scoring = set.name == "livox" ? Scoring::patchworkpp : Scoring::strict;
    frame.truth = scored_truth(scoring, ClassSet::road(), frame.scan, labels);
    frame.shards = make_shards(frame.scan, shard_kind_from_string(choice.shards), choice.agents);
    frame.network = set.network.get();
    frame.planes = planes_of(frame);
    if (frame.planes.empty()) set.frames.pop_back();
  }
}

}  // namespace

std::vector<std::string> change_names() {
  std::vector<std::string> names;
  for (const auto& [name, change] : changes()) names.push_back(name);
  return names;
}

std::vector<Set> load_sets(const Choice& choice) {
  std::vector<Set> sets;
  const auto network = std::make_shared<const Network>(
      choice.agents == 1 ? Graph::complete(1) : Graph::erdos_renyi(choice.agents, 0.5, 1));
  for (const auto& [name, folder] : kFolders) {
    if (!std::filesystem::exists(choice.data / folder)) continue;
    const bool wanted = choice.sets.empty() || std::find(choice.sets.begin(), choice.sets.end(),
                                                         name) != choice.sets.end();
    if (!wanted) continue;
    if (sets.empty() || sets.back().name != name) sets.push_back({name, {}, network});
    add_folder(choice, choice.data / folder, sets.back());
  }
  if (sets.empty()) throw InputError(choice.data.string(), "labelled recordings below it", "none");
  return sets;
}

Outcome find_road(RoadFinder& find, const Frame& frame) {
  LocalChannel channel(*frame.network);
  const Ground found = find(channel, frame.scan, frame.shards, frame.planes);
  const Confusion counts = compare_labels(found.labels.road, frame.truth);
  const PointLabels slab =
      label_points(frame.scan, frame.shards, frame.planes, default_threshold(Target::road));
  return {counts.f1(), counts.precision(), counts.recall(),
          compare_labels(slab.road, frame.truth).f1(), *found.road};
}

std::string describe(const Frame& frame, const Outcome& outcome) {
  char line[160];
  std::snprintf(line, sizeof(line),
                "  %-28s F1 %.3f, precision %.3f, recall %.3f, slab %.3f, %.0f m2, near %.2f\n",
                frame.name.c_str(), outcome.f1, outcome.precision, outcome.recall, outcome.slab_f1,
                outcome.extent.area_m2, outcome.extent.near_share);
  return line;
}

}  // namespace road_study
