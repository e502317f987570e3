#include "roadplane/kitti/calibration.hpp"

#include <Eigen/LU>
#include <cmath>
#include <optional>

#include "folder.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane::kitti {
namespace {

using RowMajor3x3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
using RowMajor3x4 = Eigen::Matrix<double, 3, 4, Eigen::RowMajor>;

constexpr std::size_t kMaxBytes = 1 << 20;  // real files have about 3000

/// What follows "key:" on its line.
std::optional<std::string_view> find_value(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    std::string_view line = take_line(text);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    std::string_view before = line.substr(0, colon);
    if (take_word(before) == key && take_word(before).empty()) return line.substr(colon + 1);
  }
  return std::nullopt;
}

Eigen::Matrix4d homogeneous(const Eigen::Matrix<double, 3, 4>& top) {
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
  matrix.topRows<3>() = top;
  return matrix;
}

Eigen::Matrix4d rotation(const CalibrationText& text, std::string_view key) {
  const std::vector<double> values = text.numbers(key, 9);
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
  matrix.topLeftCorner<3, 3>() = RowMajor3x3::Map(values.data());
  return matrix;
}

Eigen::Matrix<double, 3, 4> matrix_3x4(const CalibrationText& text, std::string_view key) {
  return RowMajor3x4::Map(text.numbers(key, 12).data());
}

/// What is bad about a file is said when it is read.
bool has_object_keys(const std::filesystem::path& file) {
  try {
    return find_value(read_text_file(file, kMaxBytes), "Tr_velo_to_cam").has_value();
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

std::vector<double> CalibrationText::numbers(std::string_view key, std::size_t count) const {
  const std::string name(key);
  const std::string expected = name + " with " + std::to_string(count) + " numbers";
  std::optional<std::string_view> value = find_value(text_, key);
  if (!value) throw InputError(where_, expected, "no " + name);
  std::vector<double> numbers;
  for (auto word = take_word(*value); !word.empty(); word = take_word(*value)) {
    const std::optional<double> number = parse_number(word);
    if (!number || !std::isfinite(*number)) throw InputError(where_, expected, in_quotes(word));
    numbers.push_back(*number);
  }
  if (numbers.size() != count) {
    throw InputError(where_, expected, std::to_string(numbers.size()) + " numbers");
  }
  return numbers;
}

// The keys are read one after the other, so that the first bad one is reported.
Projection raw_projection(const CalibrationText& velo_to_cam, const CalibrationText& cam_to_cam) {
  Eigen::Matrix4d to_camera = rotation(velo_to_cam, "R");
  to_camera.topRightCorner<3, 1>() = Eigen::Vector3d::Map(velo_to_cam.numbers("T", 3).data());
  const Eigen::Matrix4d rectify = rotation(cam_to_cam, "R_rect_00");
  return Projection(matrix_3x4(cam_to_cam, "P_rect_02") * rectify * to_camera);
}

Projection odometry_projection(const CalibrationText& calib) {
  const Eigen::Matrix<double, 3, 4> to_pixel = matrix_3x4(calib, "P2");
  return Projection(to_pixel * homogeneous(matrix_3x4(calib, "Tr")));
}

Projection object_projection(const CalibrationText& calib) {
  const Eigen::Matrix<double, 3, 4> to_pixel = matrix_3x4(calib, "P2");
  const Eigen::Matrix4d rectify = rotation(calib, "R0_rect");
  return Projection(to_pixel * rectify * homogeneous(matrix_3x4(calib, "Tr_velo_to_cam")));
}

Eigen::Matrix3d road_to_pixel(const CalibrationText& calib) {
  const Eigen::Matrix<double, 3, 4> to_pixel = matrix_3x4(calib, "P2");
  const Eigen::Matrix4d rectify = rotation(calib, "R0_rect");
  const Eigen::Matrix4d to_road = homogeneous(matrix_3x4(calib, "Tr_cam_to_road"));
  const Eigen::FullPivLU<Eigen::Matrix4d> inverse(to_road);
  if (!inverse.isInvertible()) {
    throw InputError(calib.where(), "Tr_cam_to_road with an inverse", "none");
  }
  const Eigen::Matrix<double, 3, 4> all = to_pixel * rectify * inverse.inverse();
  Eigen::Matrix3d on_road;
  on_road << all.col(0), all.col(2), all.col(3);  // the road is where y is 0
  return on_road;
}

Eigen::Matrix3d read_road_to_pixel(const std::filesystem::path& file) {
  const std::string text = read_text_file(file, kMaxBytes);
  return road_to_pixel({text, file.string()});
}

std::vector<std::filesystem::path> CalibrationSource::files() const {
  if (layout != Layout::raw) return {path};
  return {path / "calib_velo_to_cam.txt", path / "calib_cam_to_cam.txt"};
}

Projection read_calibration(const CalibrationSource& source) {
  if (source.layout == CalibrationSource::Layout::raw) {
    const auto files = source.files();
    const std::string velo = read_text_file(files[0], kMaxBytes);
    const std::string cam = read_text_file(files[1], kMaxBytes);
    return raw_projection({velo, files[0].string()}, {cam, files[1].string()});
  }
  const std::string text = read_text_file(source.path, kMaxBytes);
  const CalibrationText calib(text, source.path.string());
  return source.layout == CalibrationSource::Layout::odometry ? odometry_projection(calib)
                                                              : object_projection(calib);
}

std::optional<CalibrationSource> find_calibration(const std::filesystem::path& place,
                                                  const std::string& stem) {
  using enum CalibrationSource::Layout;
  if (is_file(place)) return CalibrationSource{has_object_keys(place) ? object : odometry, place};
  if (is_file(place / "calib_velo_to_cam.txt") && is_file(place / "calib_cam_to_cam.txt")) {
    return CalibrationSource{raw, place};
  }
  const auto own = stem.empty() ? std::nullopt : find_file(place, stem, {".txt"});
  if (own) return find_calibration(*own, {});
  return is_file(place / "calib.txt") ? find_calibration(place / "calib.txt", {}) : std::nullopt;
}

}  // namespace roadplane::kitti
