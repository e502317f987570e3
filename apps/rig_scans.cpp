#include "rig_scans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/kitti/data_config.hpp"
#include "roadplane/kitti/extrinsics_file.hpp"
#include "roadplane/kitti/rigid_transform.hpp"
#include "roadplane/kitti/static_transforms.hpp"
#include "roadplane/kitti/topic_summary.hpp"
#include "roadplane/pipeline/frame_time.hpp"

namespace roadplane::app {
namespace {

namespace fs = std::filesystem;
using Frames = std::vector<kitti::Frame>;

/// Scans of a recording that are farther apart are of other moments.
constexpr std::int64_t kApartNs = 100'000'000;

struct Wanted {
  std::string name;
  std::string scans;  ///< files, or a topic
  Extrinsic extrinsic;
  bool placed = false;  ///< somebody has said where it is
};

/// NAME=FILES@TRANSFORM
Wanted wanted_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size()) {
    throw FieldError("lidar", "NAME=FILES@TRANSFORM", in_quotes(text));
  }
  const std::size_t at = text.rfind('@');
  Wanted wanted{text.substr(0, equals), text.substr(equals + 1, at - equals - 1), {}};
  wanted.placed = at != std::string::npos;
  if (wanted.placed) {
    const std::string transform = text.substr(at + 1);
    wanted.extrinsic =
        Extrinsic::of(in_field("lidar", [&] { return kitti::transform_from_text(transform); }));
  }
  return wanted;
}

/// The scan or the folder of scans that is called so.
std::string scans_of(const fs::path& folder, const std::string& name) {
  std::error_code error;
  for (const std::string_view extension : kitti::kScanExtensions) {
    const fs::path file = folder / (name + std::string(extension));
    if (fs::is_regular_file(file, error)) return file.string();
  }
  if (fs::is_directory(folder / name, error)) return (folder / name).string();
  throw InputError(folder.string(), "a scan or a folder of scans called " + name, "none");
}

/// " of /left, /top", what there is to choose from.
std::string topics_text(const fs::path& path) {
  const kitti::Recording recording(path);
  std::string text;
  for (const kitti::RecordedTopic& topic : recording.topics()) {
    if (kitti::has_clouds(topic)) text += (text.empty() ? " of " : ", ") + topic.name;
  }
  constexpr std::size_t kMostLetters = 300;
  return shortened(in_one_line(text), kMostLetters);
}

std::vector<Wanted> all_wanted(const RigPaths& paths, bool recorded) {
  std::vector<Wanted> all;
  for (const std::string& text : paths.lidars) all.push_back(wanted_of(text));
  if (!paths.extrinsics.empty()) {
    if (paths.path.empty()) throw FieldError("path", "a folder with the LiDARs' scans", "nothing");
    for (const kitti::NamedExtrinsic& each : kitti::read_extrinsics(paths.extrinsics)) {
      all.push_back({each.name, recorded ? each.name : scans_of(paths.path, each.name),
                     Extrinsic::of(each.to_vehicle), true});
    }
  }
  if (all.size() < 2) {
    throw FieldError("lidar",
                     "two LiDARs or more" + (recorded ? topics_text(paths.path) : "") +
                         ", or {extrinsics} of them",
                     std::to_string(all.size()));
  }
  for (const Wanted& one : all) {
    if (std::count_if(all.begin(), all.end(),
                      [&](const Wanted& other) { return other.name == one.name; }) > 1) {
      throw FieldError("lidar", "different names", in_quotes(one.name) + " twice");
    }
  }
  return all;
}

Frames frames_of(const RigPaths& paths, const Wanted& wanted, bool recorded) {
  kitti::DataConfig data;
  data.paths = {recorded ? paths.path : wanted.scans};
  if (recorded) data.topic = wanted.scans;
  return kitti::open_data(data).frames;
}

std::string place_text(const Extrinsic& e) {
  return fmt::format("{:.3f},{:.3f},{:.3f},{:.2f},{:.2f},{:.2f}", e.place_m.x(), e.place_m.y(),
                     e.place_m.z(), e.roll_deg, e.pitch_deg, e.yaw_deg);
}

/// Where nothing was said of LiDARs, what the recording says, if it says anything.
std::vector<std::string> place_by_recording(std::vector<Wanted>& all,
                                            const std::vector<Frames>& frames) {
  std::vector<std::string> remarks;
  const kitti::StaticTransforms transforms(*frames.front().front().recorded->recording);
  if (transforms.empty()) return remarks;
  const std::string vehicle = transforms.root_of(frames.front().front().recorded->frame_id);
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all[k].placed) continue;
    const std::string& own = frames[k].front().recorded->frame_id;
    const auto to_vehicle = transforms.between(own, vehicle);
    if (!to_vehicle) {
      throw FieldError(
          "lidar", all[k].name + "=TOPIC@TRANSFORM",
          "no transform in /tf_static from " + in_quotes(own) + " to " + in_quotes(vehicle));
    }
    all[k].extrinsic = Extrinsic::of(*to_vehicle);
    remarks.push_back(all[k].name + " is at " + place_text(all[k].extrinsic) + " in " + vehicle +
                      ", as /tf_static says");
  }
  return remarks;
}

/// The frame nearest in time, if it is of the same moment.
const kitti::Frame* nearest(const Frames& frames, std::int64_t time_ns) {
  const auto distance = [&](const kitti::Frame& f) { return std::abs(frame_time_ns(f) - time_ns); };
  const auto found =
      std::min_element(frames.begin(), frames.end(),
                       [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  return found != frames.end() && distance(*found) <= kApartNs ? &*found : nullptr;
}

std::vector<Frames> by_stamp(const std::vector<Frames>& all) {
  std::vector<Frames> moments;
  for (const kitti::Frame& first : all.front()) {
    Frames moment;
    for (const Frames& frames : all) {
      const kitti::Frame* frame = nearest(frames, frame_time_ns(first));
      if (frame != nullptr) moment.push_back(*frame);
    }
    if (moment.size() == all.size()) moments.push_back(std::move(moment));
  }
  return moments;
}

std::vector<Frames> by_order(const std::vector<Frames>& all, const std::vector<RigScan>& lidars) {
  for (std::size_t k = 1; k < all.size(); ++k) {
    if (all[k].size() == all.front().size()) continue;
    throw InputError(
        lidars[k].name,
        "as many scans as of " + lidars.front().name + ": " + std::to_string(all.front().size()),
        std::to_string(all[k].size()));
  }
  std::vector<Frames> moments(all.front().size());
  for (const Frames& frames : all) {
    for (std::size_t k = 0; k < frames.size(); ++k) moments[k].push_back(frames[k]);
  }
  return moments;
}

}  // namespace

RigScans::RigScans(const RigPaths& paths) {
  const bool recorded = !paths.path.empty() && kitti::is_recording(paths.path);
  std::vector<Wanted> all_lidars = all_wanted(paths, recorded);
  std::vector<Frames> all;
  for (const Wanted& wanted : all_lidars) all.push_back(frames_of(paths, wanted, recorded));
  if (recorded) remarks_ = place_by_recording(all_lidars, all);
  for (const Wanted& wanted : all_lidars) lidars_.push_back({wanted.name, wanted.extrinsic});
  const bool stamped = std::all_of(all.begin(), all.end(),
                                   [](const Frames& f) { return f.front().recorded.has_value(); });
  frames_ = stamped ? by_stamp(all) : by_order(all, lidars_);
  if (frames_.empty()) {
    throw InputError(paths.path, "scans of all LiDARs within 0.1 s of each other", "none");
  }
}

RigMoment RigScans::load(std::size_t moment) const {
  RigMoment result;
  result.name = frames_[moment].front().name();
  result.lidars = lidars_;
  for (const kitti::Frame& frame : frames_[moment]) {
    result.scans.push_back(kitti::load_scan(frame));
    result.stems.push_back(frame.stem());
  }
  for (std::size_t k = 0; k < lidars_.size(); ++k) result.lidars[k].points = result.scans[k];
  return result;
}

}  // namespace roadplane::app
