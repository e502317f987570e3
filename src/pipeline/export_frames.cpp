#include "roadplane/pipeline/export_frames.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>
#include <system_error>

#include "frame_picture.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/kitti/label_file.hpp"
#include "roadplane/kitti/scan_file.hpp"
#include "roadplane/pipeline/frame_time.hpp"
#include "roadplane/viz/image_file.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;

void require_new(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) return;
  const bool is_folder = fs::is_directory(folder, error);
  if (is_folder && fs::is_empty(folder, error)) return;
  throw InputError(folder.string(), "a new or empty folder",
                   is_folder ? "a folder with files in it" : "a file");
}

/// What is missing is NaN in some sources, and none of KITTI's files.
Scan without_nan(Scan scan) {
  for (Point& p : scan) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) p = {};
    if (!std::isfinite(p.reflectance)) p.reflectance = 0;
  }
  return scan;
}

void write_pcd(const fs::path& path, const Scan& scan) {
  const std::string header = fmt::format(
      "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\nFIELDS x y z intensity\n"
      "SIZE 4 4 4 4\nTYPE F F F F\nCOUNT 1 1 1 1\nWIDTH {0}\nHEIGHT 1\n"
      "VIEWPOINT 0 0 0 1 0 0 0\nPOINTS {0}\nDATA binary\n",
      scan.size());
  const auto points = std::as_bytes(std::span(scan));
  std::string text = header;
  text.append(reinterpret_cast<const char*>(points.data()), points.size());
  write_file_atomically(path, text);
}

/// P2 is all of the projection, so that Tr has nothing left to do.
std::string calibration_text(const Projection& projection) {
  std::string text = "P2:";
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) {
      text += fmt::format(" {:.12e}", projection.matrix()(row, column));
    }
  }
  return text + "\nTr: 1 0 0 0 0 1 0 0 0 0 1 0\n";
}

/// One sequence, frame by frame.
class Exporter {
 public:
  Exporter(fs::path folder, bool pcd, ExportResult& result)
      : folder_(std::move(folder)), pcd_(pcd), result_(result) {
    result_.sequences.push_back(folder_);
  }

  /// A frame that cannot be read leaves its number free.
  void add(const kitti::Frame& frame) {
    const std::string name = fmt::format("{:06}", count_++);
    if (count_ == 1) first_ns_ = frame_time_ns(frame);
    times_ +=
        fmt::format("{:.12e}\n", 1e-9 * static_cast<double>(frame_time_ns(frame) - first_ns_));
    names_ += frame.name() + "\n";
    Scan scan;
    try {
      scan = without_nan(kitti::load_scan(frame));
    } catch (const InputError& error) {
      result_.failed.push_back(error.what());
      return;
    }
    kitti::write_scan(file("velodyne", name + ".bin"), scan);
    if (pcd_) write_pcd(file("pcd", name + ".pcd"), scan);
    try {
      add_companions(frame, name, scan.size());
    } catch (const InputError& error) {
      result_.remarks.push_back(error.what());
    }
  }

  void finish() {
    write_file_atomically(file("", "times.txt"), times_);
    write_file_atomically(file("", "names.txt"), names_);
    if (calibration_ && !calibrations_differ_) {
      write_file_atomically(file("", "calib.txt"), *calibration_);
    }
    if (calibrations_differ_) {
      result_.remarks.push_back(folder_.string() +
                                " is without calib.txt: its frames have several calibrations");
    }
  }

 private:
  fs::path file(const char* kind, const std::string& name) const {
    const fs::path path = folder_ / kind / name;
    make_folders(path.parent_path());
    return path;
  }

  /// What lies beside the scan.
  void add_companions(const kitti::Frame& frame, const std::string& name, std::size_t points) {
    if (frame.image) {
      write_file_atomically(file("image_2", name + frame.image->extension().string()),
                            read_file(*frame.image));
    }
    const auto labels = kitti::load_labels(frame, points);
    if (labels) kitti::write_labels(file("labels", name + ".label"), *labels);
    if (frame.recorded && !frame.calibration) {
      const auto picture = load_picture(frame);
      if (!picture) return;
      viz::write_png(file("image_2", name + ".png"), picture->photo);
      take_calibration(picture->projection);
      return;
    }
    if (const auto projection = kitti::load_projection(frame)) take_calibration(*projection);
  }

  void take_calibration(const Projection& projection) {
    const std::string text = calibration_text(projection);
    calibrations_differ_ = calibrations_differ_ || (calibration_ && *calibration_ != text);
    calibration_ = text;
  }

  fs::path folder_;
  bool pcd_;
  ExportResult& result_;
  int count_ = 0;
  std::int64_t first_ns_ = 0;
  std::string times_;
  std::string names_;
  std::optional<std::string> calibration_;
  bool calibrations_differ_ = false;
};

}  // namespace

ExportResult export_frames(std::span<const kitti::Frame> frames, const fs::path& folder, bool pcd,
                           const std::function<void()>& frame_done) {
  require_new(folder);
  ExportResult result;
  std::map<std::string, std::vector<const kitti::Frame*>> sequences;
  for (const kitti::Frame& frame : frames) sequences[frame.sequence].push_back(&frame);
  for (const auto& [sequence, of_sequence] : sequences) {
    Exporter exporter(folder / "sequences" / fmt::format("{:02}", result.sequences.size()), pcd,
                      result);
    for (const kitti::Frame* frame : of_sequence) {
      exporter.add(*frame);
      if (frame_done) frame_done();
    }
    exporter.finish();
  }
  return result;
}

}  // namespace roadplane
