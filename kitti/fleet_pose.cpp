#include "fleet_pose.hpp"

#include <yaml-cpp/yaml.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "folder.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/kitti/fleet.hpp"
#include "roadplane/kitti/rigid_transform.hpp"

namespace roadplane::kitti {
namespace {

constexpr std::size_t kMostYaml = std::size_t{16} << 20;    // bytes; some list every car in view
constexpr std::size_t kMostPoses = std::size_t{256} << 20;  // bytes

YAML::Node load(const std::filesystem::path& path) {
  const std::string text = read_text_file(path, kMostYaml);
  try {
    YAML::Node node = YAML::Load(text);
    if (!node.IsMap()) throw InputError(path.string(), "keys and values", "something else");
    return node;
  } catch (const YAML::Exception& error) {
    throw InputError(path.string(), "YAML", in_one_line(error.what()));
  }
}

double number_of(const YAML::Node& entry, const std::string& where, const std::string& wanted) {
  const std::string text = entry.IsScalar() ? entry.Scalar() : std::string();
  const auto number = parse_number(text);
  if (!number || !std::isfinite(*number)) {
    throw InputError(where, wanted, in_quotes(entry.IsScalar() ? text : std::string("a list")));
  }
  return *number;
}

/// So many finite numbers; nothing where there is no such key.
std::optional<std::vector<double>> numbers_at(const YAML::Node& node, const std::string& key,
                                              std::size_t count, const std::string& where) {
  const YAML::Node list = node[key];
  if (!list) return std::nullopt;
  const std::string wanted = std::to_string(count) + " finite numbers";
  if (!list.IsSequence() || list.size() != count) {
    throw InputError(where + ": " + key, wanted,
                     list.IsSequence() ? std::to_string(list.size()) : "no list");
  }
  std::vector<double> numbers;
  for (const YAML::Node& entry : list)
    numbers.push_back(number_of(entry, where + ": " + key, wanted));
  return numbers;
}

/// A matrix by rows, as V2V4Real has it: it takes the sensor's points to the common frame.
Eigen::Isometry3d pose_of_rows(const YAML::Node& rows, const std::string& where) {
  const std::string wanted = "4 rows of 4 finite numbers";
  Eigen::Matrix4d matrix;
  if (rows.size() != 4) throw InputError(where, wanted, std::to_string(rows.size()) + " rows");
  for (int r = 0; r < 4; ++r) {
    const YAML::Node row = rows[r];
    if (!row.IsSequence() || row.size() != 4)
      throw InputError(where, wanted, "another row " + std::to_string(r + 1));
    for (int c = 0; c < 4; ++c) matrix(r, c) = number_of(row[c], where, wanted);
  }
  if (!matrix.row(3).isApprox(Eigen::RowVector4d::Unit(3), 1e-6))
    throw InputError(where, "0 0 0 1 as the last row", "others");
  return rigid_transform(matrix.topRows<3>(), where);
}

std::optional<Eigen::Isometry3d> pose_at(const YAML::Node& node, const std::string& key,
                                         const std::string& file) {
  const std::string where = file + ": " + key;
  const YAML::Node list = node[key];
  if (list && list.IsSequence() && list.size() > 0 && list[0].IsSequence())
    return pose_of_rows(list, where);
  const auto numbers = numbers_at(node, key, 6, file);
  if (!numbers) return std::nullopt;
  CarlaPose pose{};
  std::copy(numbers->begin(), numbers->end(), pose.begin());
  return rigid_transform(pose_of(pose).matrix().topRows<3>(), where);
}

/// The line of a poses file as a camera's pose.
Eigen::Isometry3d camera_pose(const std::filesystem::path& path, int number) {
  const std::string content = read_text_file(path, kMostPoses);
  std::string_view rest = content;
  std::string_view line;
  int lines = 0;
  for (; !rest.empty() && lines <= number; ++lines) line = take_line(rest);
  if (lines <= number) {
    throw InputError(path.string(), "a pose of frame " + std::to_string(number),
                     std::to_string(lines) + " lines");
  }
  const std::string where = path.string() + ", line " + std::to_string(number + 1);
  Eigen::Matrix<double, 3, 4, Eigen::RowMajor> rows;
  for (int k = 0; k < 12; ++k) {
    const auto value = parse_number(take_word(line));
    if (!value || !std::isfinite(*value)) {
      throw InputError(where, "12 finite numbers", "fewer or others");
    }
    rows.data()[k] = *value;
  }
  return rigid_transform(rows, where);
}

}  // namespace

Eigen::Isometry3d pose_of(const CarlaPose& n) {
  constexpr double kDegree = std::numbers::pi / 180;
  const double cr = std::cos(n[3] * kDegree), sr = std::sin(n[3] * kDegree);
  const double cy = std::cos(n[4] * kDegree), sy = std::sin(n[4] * kDegree);
  const double cp = std::cos(n[5] * kDegree), sp = std::sin(n[5] * kDegree);
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() << cp * cy, cy * sp * sr - sy * cr, -cy * sp * cr - sy * sr,  //
      sy * cp, sy * sp * sr + cy * cr, -sy * sp * cr + cy * sr,               //
      sp, -cp * sr, cp * cr;
  pose.translation() << n[0], n[1], n[2];
  return pose;
}

CarlaPose numbers_of(const Eigen::Isometry3d& pose) {
  constexpr double kRadian = 180 / std::numbers::pi;
  const Eigen::Matrix3d turn = pose.linear();
  const Eigen::Vector3d at = pose.translation();
  const double pitch = std::asin(std::clamp(turn(2, 0), -1.0, 1.0));
  return {at.x(),
          at.y(),
          at.z(),
          kRadian * std::atan2(-turn(2, 1), turn(2, 2)),
          kRadian * std::atan2(turn(1, 0), turn(0, 0)),
          kRadian * pitch};
}

PoseFile read_pose_file(const std::filesystem::path& path) {
  const std::string where = path.string();
  const YAML::Node node = load(path);
  PoseFile found;
  const auto pose = pose_at(node, "lidar_pose", where);
  if (!pose) throw InputError(where, "a key lidar_pose", "none");
  found.pose = *pose;
  found.true_pose = pose_at(node, "true_lidar_pose", where);
  if (const auto plane = numbers_at(node, "true_ground", 4, where)) {
    found.true_ground = Plane{Eigen::Vector3d(plane->data()), (*plane)[3]};
  }
  return found;
}

Eigen::Isometry3d read_odometry_pose(const Frame& frame) {
  const std::filesystem::path sequence = frame.scan.parent_path().parent_path();
  const std::string name = sequence.filename().string();
  std::string looked;
  for (const auto& file :
       {sequence / "poses.txt", sequence.parent_path().parent_path() / "poses" / (name + ".txt")}) {
    looked += (looked.empty() ? "" : ", ") + file.string();
    if (!is_file(file)) continue;
    const std::filesystem::path calib = sequence / "calib.txt";
    const std::string text = read_text_file(calib, 1 << 20);
    const std::vector<double> tr = CalibrationText(text, calib.string()).numbers("Tr", 12);
    const Eigen::Isometry3d to_camera = rigid_transform(
        Eigen::Matrix<double, 3, 4, Eigen::RowMajor>::Map(tr.data()), calib.string() + ": Tr");
    return to_camera.inverse() * camera_pose(file, frame.number) * to_camera;
  }
  throw InputError(sequence.string(), "a file of poses", "none at " + looked);
}

}  // namespace roadplane::kitti
