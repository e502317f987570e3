#include "layouts.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "folder.hpp"
#include "nuscenes.hpp"
#include "road_benchmark.hpp"
#include "roadplane/base/input_error.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;

const std::initializer_list<std::string_view> kImages{".png", ".jpg", ".jpeg"};
const std::initializer_list<std::string_view> kBinaryScans{".bin", ".pcd", ".ply",
                                                           ".npy", ".npz", ".las"};

/// Text files are many things; they are taken for scans where no file is certainly one, and a .txt
/// only if its name ends with a number, unlike those of calib.txt and times.txt.
std::vector<fs::path> text_scans(const fs::path& folder) {
  std::vector<fs::path> scans = files_in(folder, {".csv", ".xyz", ".asc"});
  if (!scans.empty()) return scans;
  scans = files_in(folder, {".txt"});
  std::erase_if(scans, [](const fs::path& file) {
    const std::string stem = file.stem().string();
    return stem.empty() || std::isdigit(static_cast<unsigned char>(stem.back())) == 0;
  });
  return scans;
}

bool is_nuscenes(const fs::path& f) { return is_folder(f / "samples" / "LIDAR_TOP"); }

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

/// A split, those of a root, or a folder of scans itself; one that lies in another folder is a data
/// set of its own.
std::vector<fs::path> road_splits_in(const fs::path& folder) {
  if (is_road_split(folder)) return {folder};
  return sequences_in(folder, [](const fs::path& inside) {
    return is_folder(inside / "velodyne") && is_road_split(inside);
  });
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
Frames frames_of_files(const std::vector<fs::path>& scans, const std::string& sequence) {
  Frames result;
  std::vector<Frame>& frames = result.frames;
  std::map<std::string, fs::path> by_stem;  // 0001.bin and 0001.pcd are one frame: .bin is first
  for (const fs::path& scan : scans) {
    const auto [first, is_new] = by_stem.try_emplace(stem_of(scan), scan);
    if (!is_new) {
      result.remarks.push_back(scan.string() + " is left out: " +
                               first->second.filename().string() + " is the same frame");
    }
  }
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
  return result;
}

Frames frames_of_folder(const fs::path& folder, const fs::path& sequence) {
  std::vector<fs::path> scans = files_in(folder, kBinaryScans);
  std::erase_if(scans, is_lidarseg);
  if (scans.empty()) scans = text_scans(folder);
  return frames_of_files(scans, sequence.filename().string());
}

/// The first of the places that holds a calibration, for all frames that have none; else a remark
/// that says where it was looked for.
void add_calibration(Frames& frames, const std::vector<fs::path>& places) {
  std::string looked;
  for (const fs::path& place : places) {
    if (const auto found = find_calibration(place, {})) {
      for (Frame& frame : frames.frames) frame.calibration = found;
      return;
    }
    looked += (looked.empty() ? "" : ", ") + place.string();
  }
  const bool pictures = std::any_of(frames.frames.begin(), frames.frames.end(),
                                    [](const Frame& f) { return f.image.has_value(); });
  if (pictures) frames.remarks.push_back("no calibration, looked for in " + looked);
}

std::optional<fs::path> if_file(const fs::path& path) {
  return is_file(path) ? std::optional(path) : std::nullopt;
}

Frames raw_frames(const fs::path& drive) {
  Frames result = frames_of_folder(drive / "velodyne_points" / "data", drive);
  for (Frame& frame : result.frames) {
    frame.image = find_file(drive / "image_02" / "data", frame.stem(), kImages);
  }
  add_calibration(result, {drive.parent_path(), drive, drive / "calib.txt"});
  return result;
}

Frames odometry_frames(const fs::path& sequence) {
  Frames result = frames_of_folder(sequence / "velodyne", sequence);
  const auto planes = if_file(sequence / "planes.json");
  for (Frame& frame : result.frames) {
    frame.image = find_file(sequence / "image_2", frame.stem(), kImages);
    frame.label = find_file(sequence / "labels", frame.stem(), {".label"});
    frame.plane_file = planes;
  }
  add_calibration(result, {sequence / "calib.txt", sequence});
  return result;
}

/// In the folders of a split, or all in one folder.
Frames road_frames(const fs::path& split) {
  const bool in_folders = is_folder(split / "velodyne");
  const auto place = [&](const char* folder) { return in_folders ? split / folder : split; };
  Frames result = frames_of_folder(place("velodyne"), split);
  for (Frame& frame : result.frames) {
    frame.image = find_file(place("image_2"), frame.stem(), kImages);
    frame.calibration = find_calibration(place("calib"), frame.stem());
    frame.road_picture = find_road_picture(place("gt_image_2"), frame.stem());
  }
  return result;
}

Frames object_frames(const fs::path& split) {
  Frames result = frames_of_folder(split / "velodyne", split);
  for (Frame& frame : result.frames) {
    frame.image = find_file(split / "image_2", frame.stem(), kImages);
    frame.calibration = find_calibration(split / "calib", frame.stem());
  }
  return result;
}

/// Where the calibration of the recording day of an annotation folder MM_DD_DRIVE may be (KITTI was
/// recorded in 2011): beside the annotations, or where raw recordings lie in a folder above, in
/// DATE or raw/DATE.
std::vector<fs::path> annotation_calibrations(const fs::path& folder) {
  std::vector<fs::path> places{folder};
  const fs::path date = "2011_" + folder.filename().string().substr(0, 5);
  if (!is_date(date)) return places;
  constexpr int kLevels = 3;
  fs::path above = folder.parent_path();
  for (int level = 0; level < kLevels; ++level, above = above.parent_path()) {
    places.insert(places.end(), {above / date, above / "raw" / date});
  }
  return places;
}

constexpr std::string_view kSuffix = "_data";  // of an annotation's name

/// The annotations among the .mat files of a folder. Where some are called *_data.mat, as in the
/// DPCP data set, the others are something else, such as an index.
std::vector<fs::path> annotations_in(const fs::path& folder, std::vector<std::string>& remarks) {
  std::vector<fs::path> files = files_in(folder, {".mat"});
  const auto is_data = [](const fs::path& f) { return f.stem().string().ends_with(kSuffix); };
  if (std::none_of(files.begin(), files.end(), is_data)) return files;
  std::erase_if(files, [&](const fs::path& file) {
    if (is_data(file)) return false;
    remarks.push_back(file.string() + " is left out: annotations are called *_data.mat here");
    return true;
  });
  return files;
}

Frames annotation_frames(const fs::path& folder) {
  std::vector<std::string> remarks;
  const std::vector<fs::path> files = annotations_in(folder, remarks);
  Frames result = frames_of_files(files, folder.filename().string());
  result.remarks.insert(result.remarks.end(), remarks.begin(), remarks.end());
  for (Frame& frame : result.frames) {
    std::string picture = frame.stem();
    if (picture.ends_with(kSuffix)) picture.resize(picture.size() - kSuffix.size());
    frame.annotation = frame.scan;
    frame.image = find_file(folder, picture, kImages);
  }
  add_calibration(result, annotation_calibrations(folder));
  const std::size_t scans = files_in(folder, kBinaryScans).size();
  if (scans > 0) {
    result.remarks.push_back(folder.string() + ": annotations are taken, " + std::to_string(scans) +
                             " other scans beside them are left out");
  }
  return result;
}

Frames nuscenes_frames(const fs::path& root) {
  Frames result = frames_of_folder(root / "samples" / "LIDAR_TOP", root);
  const auto labels = lidarseg_files(root);
  for (Frame& frame : result.frames) {
    const auto label = labels.find(frame.stem());
    if (label != labels.end()) frame.label = label->second;
  }
  return result;
}

Frames scan_frames(const fs::path& folder) {
  Frames result = frames_of_folder(folder, folder);
  const auto planes = if_file(folder / "planes.json");
  for (Frame& frame : result.frames) {
    frame.image = find_file(folder, frame.stem(), kImages);
    frame.label = find_file(folder, frame.stem(), {".label", "_lidarseg.bin"});
    frame.plane_file = planes;
  }
  add_calibration(result, {folder / "calib.txt", folder});
  return result;
}

}  // namespace

std::optional<Recognised> recognise(const fs::path& folder) {
  const auto nested = is_folder(folder / "sequences") ? folder / "sequences" : folder;
  if (is_nuscenes(folder)) return Recognised{Layout::nuscenes, {folder}};
  if (auto found = raw_drives_in(folder); !found.empty()) return Recognised{Layout::raw, found};
  if (auto found = road_splits_in(folder); !found.empty()) {
    return Recognised{Layout::road, found};
  }
  if (auto found = sequences_in(folder, is_object_split); !found.empty()) {
    return Recognised{Layout::object, found};
  }
  if (auto found = sequences_in(nested, is_odometry_sequence); !found.empty()) {
    return Recognised{Layout::odometry, found};
  }
  if (has_annotations(folder)) return Recognised{Layout::annotations, {folder}};
  if (holds_any(folder, kBinaryScans)) return Recognised{Layout::scans, {folder}};
  if (auto found = sequences_in(folder, has_annotations); !found.empty()) {
    return Recognised{Layout::annotations, found};
  }
  if (!text_scans(folder).empty()) return Recognised{Layout::scans, {folder}};
  return std::nullopt;
}

Frames frames_of(Layout layout, const fs::path& sequence) {
  switch (layout) {
    case Layout::raw:
      return raw_frames(sequence);
    case Layout::odometry:
      return odometry_frames(sequence);
    case Layout::object:
      return object_frames(sequence);
    case Layout::road:
      return road_frames(sequence);
    case Layout::annotations:
      return annotation_frames(sequence);
    case Layout::nuscenes:
      return nuscenes_frames(sequence);
    default:
      return scan_frames(sequence);
  }
}

fs::path enclosing_sequence(const fs::path& folder) {
  if (folder.filename() == "velodyne") return folder.parent_path();
  if (folder.filename() == "velodyne_points" && is_folder(folder / "data")) {
    return folder.parent_path();
  }
  const fs::path above = folder.parent_path();
  if (folder.filename() == "LIDAR_TOP" && above.filename() == "samples") return above.parent_path();
  if (folder.filename() == "data" && above.filename() == "velodyne_points") {
    return above.parent_path();
  }
  return folder;
}

std::string known_layouts() {
  return "; known layouts: "
         "KITTI raw (DATE/DATE_drive_NNNN_sync/velodyne_points/data/*.bin), "
         "odometry (sequences/NN/velodyne/*.bin), "
         "object (training/velodyne/*.bin with training/calib), "
         "road benchmark (the same with training/gt_image_2, or um_000000.bin, .png, .txt and "
         "um_road_000000.png in one folder), "
         "DPCP annotations (*_data.mat with *.png), "
         "nuScenes (samples/LIDAR_TOP/*.pcd.bin), "
         "scans (*.bin, *.pcd, *.ply, *.npy, *.npz, *.las, *.csv, *.xyz, *.asc, *.txt), "
         "recordings (*.bag, *.db3, *.mcap, or a folder with metadata.yaml)";
}

}  // namespace roadplane::kitti
