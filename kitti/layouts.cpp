#include "layouts.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "folder.hpp"
#include "roadplane/base/input_error.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;

const std::initializer_list<std::string_view> kImages{".png", ".jpg", ".jpeg"};

bool is_raw_drive(const fs::path& f) { return is_folder(f / "velodyne_points" / "data"); }

bool is_object_split(const fs::path& f) {
  return is_folder(f / "velodyne") && (is_folder(f / "calib") || is_folder(f / "label_2"));
}

bool is_odometry_sequence(const fs::path& f) {
  return is_folder(f / "velodyne") && !is_object_split(f);
}

bool has_annotations(const fs::path& f) { return holds_any(f, {".mat"}); }

/// Whether a name is a recording day such as 2011_09_26.
bool is_date(const fs::path& path) {
  const std::string name = path.filename().string();
  const std::string_view pattern = "dddd_dd_dd";
  return std::equal(name.begin(), name.end(), pattern.begin(), pattern.end(),
                    [](char c, char p) { return p == 'd' ? c >= '0' && c <= '9' : c == p; });
}

template <class Predicate>
std::vector<fs::path> sequences_in(const fs::path& folder, Predicate is_sequence) {
  if (is_sequence(folder)) return {folder};
  std::vector<fs::path> found = folders_in(folder);
  std::erase_if(found, [&](const fs::path& inside) { return !is_sequence(inside); });
  return found;
}

std::vector<fs::path> raw_drives_in(const fs::path& folder) {
  std::vector<fs::path> drives = sequences_in(folder, is_raw_drive);
  if (!drives.empty()) return drives;
  for (const fs::path& date : folders_in(folder)) {
    if (!is_date(date)) continue;
    const std::vector<fs::path> of_day = sequences_in(date, is_raw_drive);
    drives.insert(drives.end(), of_day.begin(), of_day.end());
  }
  return drives;
}

/// One frame per scan of a folder. Numbers come from the names; where some name has none or two
/// share one, all frames are counted instead, so that a number still means one frame.
std::vector<Frame> frames_of_files(const std::vector<fs::path>& scans,
                                   const std::string& sequence) {
  std::map<std::string, fs::path> by_stem;  // 0001.bin and 0001.pcd are one frame: .bin is first
  for (const fs::path& scan : scans) by_stem.try_emplace(scan.stem().string(), scan);
  std::vector<Frame> frames;
  std::set<int> numbers;
  for (const auto& [stem, scan] : by_stem) {
    const std::optional<int> number = last_number(stem);
    frames.push_back({.sequence = sequence, .number = number.value_or(-1), .scan = scan});
    if (number) numbers.insert(*number);
  }
  if (numbers.size() < frames.size()) {
    for (std::size_t k = 0; k < frames.size(); ++k) frames[k].number = static_cast<int>(k);
  }
  std::sort(frames.begin(), frames.end(),
            [](const Frame& a, const Frame& b) { return a.number < b.number; });
  return frames;
}

std::vector<Frame> frames_of_folder(const fs::path& folder, const fs::path& sequence) {
  return frames_of_files(files_in(folder, {".bin", ".pcd", ".ply"}), sequence.filename().string());
}

std::optional<CalibrationSource> raw_calibration(const fs::path& date) {
  const bool complete =
      is_file(date / "calib_velo_to_cam.txt") && is_file(date / "calib_cam_to_cam.txt");
  if (!complete) return std::nullopt;
  return CalibrationSource{CalibrationSource::Layout::raw, date};
}

std::optional<CalibrationSource> sequence_calibration(const fs::path& file) {
  if (!is_file(file)) return std::nullopt;
  return CalibrationSource{CalibrationSource::Layout::odometry, file};
}

std::optional<fs::path> if_file(const fs::path& path) {
  return is_file(path) ? std::optional(path) : std::nullopt;
}

std::vector<Frame> raw_frames(const fs::path& drive) {
  std::vector<Frame> frames = frames_of_folder(drive / "velodyne_points" / "data", drive);
  const auto calibration = raw_calibration(drive.parent_path());
  for (Frame& frame : frames) {
    frame.image = find_file(drive / "image_02" / "data", frame.stem(), kImages);
    frame.calibration = calibration;
  }
  return frames;
}

std::vector<Frame> odometry_frames(const fs::path& sequence) {
  std::vector<Frame> frames = frames_of_folder(sequence / "velodyne", sequence);
  const auto calibration = sequence_calibration(sequence / "calib.txt");
  const auto planes = if_file(sequence / "planes.json");
  for (Frame& frame : frames) {
    frame.image = find_file(sequence / "image_2", frame.stem(), kImages);
    frame.label = find_file(sequence / "labels", frame.stem(), {".label"});
    frame.calibration = calibration;
    frame.plane_file = planes;
  }
  return frames;
}

std::vector<Frame> object_frames(const fs::path& split) {
  std::vector<Frame> frames = frames_of_folder(split / "velodyne", split);
  for (Frame& frame : frames) {
    frame.image = find_file(split / "image_2", frame.stem(), kImages);
    if (const auto calib = find_file(split / "calib", frame.stem(), {".txt"})) {
      frame.calibration = CalibrationSource{CalibrationSource::Layout::object, *calib};
    }
  }
  return frames;
}

/// The calibration of the recording day of an annotation folder MM_DD_DRIVE (KITTI was recorded in
/// 2011), if the raw recordings lie in a folder above it: DATE or raw/DATE.
std::optional<CalibrationSource> annotation_calibration(const fs::path& folder) {
  const fs::path date = "2011_" + folder.filename().string().substr(0, 5);
  if (!is_date(date)) return std::nullopt;
  constexpr int kLevels = 3;
  fs::path above = folder.parent_path();
  for (int level = 0; level < kLevels; ++level, above = above.parent_path()) {
    for (const fs::path& day : {above / date, above / "raw" / date}) {
      if (auto calibration = raw_calibration(day)) return calibration;
    }
  }
  return std::nullopt;
}

std::vector<Frame> annotation_frames(const fs::path& folder) {
  std::vector<Frame> frames =
      frames_of_files(files_in(folder, {".mat"}), folder.filename().string());
  const auto calibration = annotation_calibration(folder);
  for (Frame& frame : frames) {
    constexpr std::string_view kSuffix = "_data";
    std::string picture = frame.stem();
    if (picture.ends_with(kSuffix)) picture.resize(picture.size() - kSuffix.size());
    frame.annotation = frame.scan;
    frame.image = find_file(folder, picture, kImages);
    frame.calibration = calibration;
  }
  return frames;
}

std::vector<Frame> scan_frames(const fs::path& folder) {
  std::vector<Frame> frames = frames_of_folder(folder, folder);
  const auto calibration = sequence_calibration(folder / "calib.txt");
  const auto planes = if_file(folder / "planes.json");
  for (Frame& frame : frames) {
    frame.image = find_file(folder, frame.stem(), kImages);
    frame.label = find_file(folder, frame.stem(), {".label"});
    frame.calibration = calibration;
    frame.plane_file = planes;
  }
  return frames;
}

}  // namespace

std::optional<Recognised> recognise(const fs::path& folder) {
  const auto nested = is_folder(folder / "sequences") ? folder / "sequences" : folder;
  if (auto found = raw_drives_in(folder); !found.empty()) return Recognised{Layout::raw, found};
  if (auto found = sequences_in(folder, is_object_split); !found.empty()) {
    return Recognised{Layout::object, found};
  }
  if (auto found = sequences_in(nested, is_odometry_sequence); !found.empty()) {
    return Recognised{Layout::odometry, found};
  }
  if (holds_any(folder, {".bin", ".pcd", ".ply"})) return Recognised{Layout::scans, {folder}};
  if (auto found = sequences_in(folder, has_annotations); !found.empty()) {
    return Recognised{Layout::annotations, found};
  }
  return std::nullopt;
}

std::vector<Frame> frames_of(Layout layout, const fs::path& sequence) {
  switch (layout) {
    case Layout::raw:
      return raw_frames(sequence);
    case Layout::odometry:
      return odometry_frames(sequence);
    case Layout::object:
      return object_frames(sequence);
    case Layout::annotations:
      return annotation_frames(sequence);
    default:
      return scan_frames(sequence);
  }
}

fs::path enclosing_sequence(const fs::path& folder) {
  if (folder.filename() == "velodyne") return folder.parent_path();
  const fs::path above = folder.parent_path();
  if (folder.filename() == "data" && above.filename() == "velodyne_points") {
    return above.parent_path();
  }
  return folder;
}

std::string known_layouts() {
  return "\n  known layouts:"
         "\n    raw          DATE/DATE_drive_NNNN_sync/velodyne_points/data/*.bin (a drive or DATE)"
         "\n    odometry     sequences/NN/velodyne/*.bin (a sequence or the folder of sequences)"
         "\n    object       training/velodyne/*.bin with training/calib (a split or their folder)"
         "\n    annotations  *_data.mat with their *.png (DPCP)"
         "\n    scans        *.bin, *.pcd or *.ply"
         "\n    single scan  a .bin, .pcd, .ply or annotation .mat file";
}

}  // namespace roadplane::kitti
