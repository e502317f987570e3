#include "roadplane/kitti/synthetic/sequence.hpp"

#include <array>
#include <charconv>
#include <string>
#include <system_error>

#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/kitti/label_file.hpp"
#include "roadplane/kitti/scan_file.hpp"
#include "roadplane/kitti/synthetic/scene.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;
using Matrix34 = Eigen::Matrix<double, 3, 4>;

std::string frame_name(int index) {
  const std::string digits = std::to_string(index);
  return std::string(digits.size() < 6 ? 6 - digits.size() : 0, '0') + digits;
}

// to_chars, because printf writes the decimal point of the user's locale.
template <class... Format>
std::string number(double value, Format... format) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, format...).ptr;
  return {text.data(), end};
}

std::string exact(double value) { return number(value); }
std::string kitti_style(double value) { return number(value, std::chars_format::scientific, 12); }

std::string calibration_line(const std::string& key, const Matrix34& m) {
  std::string line = key + ":";
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) line.append(" ").append(kitti_style(m(row, column)));
  }
  return line + "\n";
}

std::string calibration_text(const SyntheticCalibration& calibration) {
  Matrix34 p0 = calibration.p2;  // all four cameras have the same lens
  Matrix34 p1 = calibration.p2;
  Matrix34 p3 = calibration.p2;
  p0.col(3).setZero();
  p1.col(3) << -386.1448, 0, 0;
  p3.col(3) << -337.2877, 2.369057, 0.004915215;
  return calibration_line("P0", p0) + calibration_line("P1", p1) +
         calibration_line("P2", calibration.p2) + calibration_line("P3", p3) +
         calibration_line("Tr", calibration.tr);
}

std::string plane_entry(int index, const Plane& plane) {
  std::string text = "    \"";
  text += frame_name(index);
  text += "\": {\"normal\": [";
  text += exact(plane.normal.x());
  text += ", ";
  text += exact(plane.normal.y());
  text += ", ";
  text += exact(plane.normal.z());
  text += "], \"offset_m\": ";
  text += exact(plane.offset_m);
  return text + "}";
}

fs::path make_folders(const fs::path& root, bool pictures) {
  std::error_code error;
  if (fs::exists(root, error) && (!fs::is_directory(root, error) || !fs::is_empty(root, error))) {
    throw InputError(root.string(), "a new or empty folder",
                     fs::is_directory(root, error) ? "a folder with files in it" : "a file");
  }
  const fs::path sequence = root / "sequences" / "00";
  for (const char* name : {"velodyne", "labels", "image_2"}) {
    if (!pictures && std::string(name) == "image_2") continue;
    fs::create_directories(sequence / name, error);
    if (error) throw InputError(root.string(), "a folder that can be written", error.message());
  }
  return sequence;
}

}  // namespace

fs::path write_sequence(const SceneOptions& options, const fs::path& folder,
                        const WriteImage& write_image, const SequenceProgress& progress) {
  const SyntheticScene scene(options);
  const fs::path sequence = make_folders(folder, static_cast<bool>(write_image));
  write_file_atomically(sequence / "calib.txt", calibration_text(SyntheticScene::calibration()));
  std::string times;
  std::string planes = "{\n  \"frames\": {\n";
  for (int index = 0; index < options.frames; ++index) {
    const SyntheticFrame frame = scene.frame(index);
    const std::string name = frame_name(index);
    write_scan(sequence / "velodyne" / (name + ".bin"), frame.points);
    write_labels(sequence / "labels" / (name + ".label"), frame.labels);
    if (write_image) write_image(sequence / "image_2" / (name + ".png"), scene.picture(index));
    times += kitti_style(scene.time_s(index)) + "\n";
    if (index > 0) planes += ",\n";
    planes += plane_entry(index, frame.road);
    if (progress) progress(index + 1, options.frames);
  }
  write_file_atomically(sequence / "times.txt", times);
  write_file_atomically(sequence / "planes.json", planes + "\n  }\n}\n");
  return sequence;
}

}  // namespace roadplane::kitti
