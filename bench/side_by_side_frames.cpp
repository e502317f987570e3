#include "side_by_side_frames.hpp"

#include <set>

#include "roadplane/base/input_error.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/ground_truth.hpp"
#include "roadplane/kitti/synthetic/scene.hpp"

namespace side_by_side {
namespace {

using namespace roadplane;
namespace fs = std::filesystem;

/// The folders below that open_dataset would call annotations or a labelled odometry sequence.
std::set<fs::path> folders_with_truth(const fs::path& folder) {
  std::set<fs::path> found;
  std::error_code unreadable;
  fs::recursive_directory_iterator entries(folder, fs::directory_options::skip_permission_denied,
                                           unreadable);
  if (unreadable) throw InputError(folder.string(), "a folder", unreadable.message());
  for (const fs::directory_entry& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file() && name.ends_with("_data.mat")) {
      found.insert(entry.path().parent_path());
    } else if (entry.is_directory() && name == "labels") {
      const fs::path sequence = entry.path().parent_path();
      if (fs::is_directory(sequence / "velodyne")) found.insert(sequence);
    }
  }
  return found;
}

/// Sequences of one sensor have numbers for names, below a folder that says which.
std::string group_of(fs::path sequence) {
  while (sequence.filename().string().find_first_not_of("0123456789") == std::string::npos ||
         sequence.filename() == "sequences") {
    sequence = sequence.parent_path();
  }
  return sequence.filename().string();
}

}  // namespace

int visit_frames_below(const fs::path& folder, const Visit& visit) {
  int count = 0;
  for (const fs::path& sequence : folders_with_truth(folder)) {
    for (const kitti::Frame& frame : kitti::open_dataset(sequence).frames) {
      if (!frame.annotation && !frame.label) continue;
      TruthFrame loaded{frame.annotation ? "annotated" : group_of(sequence),
                        frame.name(),
                        {},
                        kitti::load_scan(frame),
                        {},
                        {}};
      const auto truth = kitti::load_ground_truth(frame, loaded.scan);
      if (!truth) continue;
      loaded.source = truth->source;
      loaded.mask = truth->mask;
      loaded.w = truth->hyperplane;
      visit(loaded);
      ++count;
    }
  }
  return count;
}

int visit_synthetic_frames(const Visit& visit) {
  struct Street {
    const char* name;
    double outlier_share;
    double slope_deg;
    double second_plane_share;
  };
  constexpr Street kStreets[] = {{"synthetic/plain", 0.5, 0, 0},
                                 {"synthetic/sloped", 0.62, 3, 0},
                                 {"synthetic/crowded", 0.75, 1, 0},
                                 {"synthetic/platform", 0.62, 1, 0.25}};
  int count = 0;
  for (const Street& street : kStreets) {
    kitti::SceneOptions options;
    options.outlier_share = street.outlier_share;
    options.slope_deg = street.slope_deg;
    options.second_plane_share = street.second_plane_share;
    kitti::SyntheticFrame frame = kitti::SyntheticScene(options).frame(0);
    visit({"synthetic", street.name, "exact", std::move(frame.points),
           ClassSet::road().mask(frame.labels), frame.road.hyperplane()});
    ++count;
  }
  return count;
}

}  // namespace side_by_side
