#include "roadplane/kitti/data_config.hpp"

#include <glob.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "folder.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/kitti/frame_selection.hpp"
#include "roadplane/kitti/raw_format.hpp"
#include "roadplane/kitti/rigid_transform.hpp"
#include "roadplane/kitti/scan_stream.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;

constexpr double kHighestSensorM = 100;

/// A path as it is; of a pattern, as a shell would have done, the files that match.
std::vector<std::string> expanded(const std::string& path) {
  if (path.empty()) throw FieldError("path", "a folder or a scan", "an empty name");
  std::error_code ignored;
  if (path.find_first_of("*?[") == std::string::npos || fs::exists(path, ignored)) return {path};
  glob_t found{};
  std::vector<std::string> paths;
  if (glob(path.c_str(), 0, nullptr, &found) == 0) {
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  globfree(&found);
  if (paths.empty()) throw InputError(path, "a pattern of files", "none that match");
  return paths;
}

std::vector<std::string> expanded(const std::vector<std::string>& paths) {
  std::vector<std::string> all;
  for (const std::string& path : paths) {
    const std::vector<std::string> some = expanded(path);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

/// A name is the name of a frame's results.
void require_different_names(const Dataset& dataset) {
  std::set<std::string> names;
  for (const Frame& frame : dataset.frames) {
    if (!names.insert(frame.name()).second) {
      throw InputError(frame.scan.string(), "frames of different names", frame.name() + " twice");
    }
  }
}

Dataset joined(const std::vector<std::string>& paths, const std::optional<std::string>& sequence,
               const std::optional<std::string>& topic) {
  Dataset all{Layout::several, fs::absolute(paths.front()).parent_path(), "several", {}, {}};
  for (const std::string& path : paths) {
    Dataset one = open_dataset(path, sequence, topic);
    std::move(one.frames.begin(), one.frames.end(), std::back_inserter(all.frames));
    std::move(one.remarks.begin(), one.remarks.end(), std::back_inserter(all.remarks));
  }
  require_different_names(all);
  return all;
}

/// A folder may hold calibrations of those frames only that are wanted.
void require_calibration(const std::string& place, const std::vector<Frame>& wanted) {
  for (const Frame& frame : wanted) {
    if (!frame.calibration) {
      throw FieldError("calib",
                       "a calib.txt, a folder with one, with calib_velo_to_cam.txt and "
                       "calib_cam_to_cam.txt, or with a .txt for each frame",
                       in_quotes(place) + " without that of " + frame.name());
    }
  }
}

}  // namespace

ScanReading reading_of(const DataConfig& config) {
  ScanReading reading;
  if (config.format != "auto") {
    reading.format = besides_auto([&] { return raw_format_from_string(config.format); });
  }
  if (!config.transform.empty()) reading.to_sensor = transform_from_text(config.transform);
  if (config.sensor_height_m > 0) {
    reading.to_sensor = Eigen::Isometry3d(Eigen::Translation3d(0, 0, -config.sensor_height_m));
  }
  if (!config.sensor_origin.empty()) {
    reading.to_sensor =
        Eigen::Isometry3d(Eigen::Translation3d(-sensor_origin_from_text(config.sensor_origin)));
  }
  return reading;
}

void DataConfig::validate() const {
  if (!frames.empty()) FrameSelection::parse(frames);
  require_range("sensor_height", sensor_height_m, 0, kHighestSensorM);
  if (sensor_height_m > 0 && !transform.empty()) {
    throw FieldError("sensor_height", "no {transform} beside it", "both");
  }
  if (!sensor_origin.empty() && (sensor_height_m > 0 || !transform.empty())) {
    throw FieldError("sensor_origin", "neither {transform} nor {sensor_height} beside it", "both");
  }
  reading_of(*this);
  if (!calib.empty() && !is_file(calib) && !is_folder(calib)) {
    throw FieldError("calib", "a file or a folder", in_quotes(calib));
  }
}

DataConfig DataConfig::resolved() const {
  DataConfig config = *this;
  const auto absolute = [](std::string& path) {
    path = fs::absolute(path).lexically_normal().string();
  };
  for (std::string& path : config.paths) absolute(path);
  if (!calib.empty()) absolute(config.calib);
  if (is_file(transform)) absolute(config.transform);
  return config;
}

Dataset open_data(const DataConfig& config) {
  const auto sequence = config.sequence.empty() ? std::nullopt : std::optional(config.sequence);
  const auto topic = config.topic.empty() ? std::nullopt : std::optional(config.topic);
  const std::vector<std::string> paths = expanded(config.paths);
  Dataset dataset = paths.size() == 1 ? open_dataset(paths.front(), sequence, topic)
                                      : joined(paths, sequence, topic);
  const bool recorded = std::any_of(dataset.frames.begin(), dataset.frames.end(),
                                    [](const Frame& f) { return f.recorded.has_value(); });
  if (topic && !recorded) {
    throw FieldError("topic", "a recording (.bag, .db3, .mcap) with it",
                     dataset.frames.front().scan.filename());
  }
  const bool raw = std::any_of(dataset.frames.begin(), dataset.frames.end(),
                               [](const Frame& f) { return lower_extension(f.scan) == ".bin"; });
  if (config.format != "auto" && !raw) {
    throw FieldError("format", "raw .bin scans with it", dataset.frames.front().scan.filename());
  }
  const ScanReading reading = reading_of(config);
  for (Frame& frame : dataset.frames) {
    frame.reading = reading;
    if (!config.calib.empty()) frame.calibration = find_calibration(config.calib, frame.stem());
  }
  return dataset;
}

std::vector<Frame> select_frames(const DataConfig& config, const Dataset& dataset) {
  std::vector<Frame> chosen = dataset.frames;
  if (!config.frames.empty()) chosen = FrameSelection::parse(config.frames).apply(dataset.frames);
  if (!config.calib.empty()) require_calibration(config.calib, chosen);
  return chosen;
}

}  // namespace roadplane::kitti
