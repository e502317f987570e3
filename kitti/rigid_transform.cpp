#include "roadplane/kitti/rigid_transform.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "folder.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane::kitti {
namespace {

constexpr const char* kField = "transform";
constexpr std::size_t kMaxBytes = 1 << 16;
constexpr double kRigidity = 1e-3;  // to which a file of few digits is a rotation
constexpr double kMostM = 1e7;      // [m] from the origin: farther is nothing on this planet

/// So many numbers with commas between them, the first three in metres.
std::vector<double> numbers_of(const std::string& text, std::size_t count, const char* field,
                               const char* expected) {
  std::vector<double> numbers;
  for (const std::string& word : split_list(text)) {
    const auto number = parse_number(word);
    if (number && std::isfinite(*number)) numbers.push_back(*number);
  }
  if (numbers.size() != count || split_list(text).size() != count) {
    throw FieldError(field, expected, in_quotes(text));
  }
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::abs(numbers[k]) > kMostM) {
      throw FieldError(field, "metres within 10000 km", in_digits(numbers[k]));
    }
  }
  return numbers;
}

Eigen::Isometry3d from_pose(const std::string& text) {
  const std::vector<double> numbers =
      numbers_of(text, 6, kField, "a file with a 4 x 4 matrix, or x,y,z,roll,pitch,yaw [m, deg]");
  const auto turn = [&](std::size_t k, const Eigen::Vector3d& axis) {
    return Eigen::AngleAxisd(std::remainder(numbers[k], 360) * std::numbers::pi / 180, axis);
  };
  Eigen::Isometry3d transform = Eigen::Isometry3d::Identity();
  transform.linear() = (turn(5, Eigen::Vector3d::UnitZ()) * turn(4, Eigen::Vector3d::UnitY()) *
                        turn(3, Eigen::Vector3d::UnitX()))
                           .toRotationMatrix();
  transform.translation() << numbers[0], numbers[1], numbers[2];
  return transform;
}

InputError not_rigid(const std::string& where) {
  return {where, "a rotation and a translation, last row 0 0 0 1",
          "a matrix that scales, mirrors or shears"};
}

Eigen::Isometry3d from_file(const std::string& path) {
  const std::string content = read_text_file(path, kMaxBytes);
  std::string_view rest = content;
  std::vector<double> numbers;
  while (!rest.empty()) {
    std::string_view line = take_line(rest);
    for (auto word = take_word(line); !word.empty(); word = take_word(line)) {
      const auto number = parse_number(word);
      if (!number || !std::isfinite(*number)) {
        throw InputError(path, "16 numbers, a 4 x 4 matrix", in_quotes(word));
      }
      numbers.push_back(*number);
    }
  }
  if (numbers.size() == 12) numbers.insert(numbers.end(), {0, 0, 0, 1});
  if (numbers.size() != 16) {
    throw InputError(path, "16 numbers, a 4 x 4 matrix", std::to_string(numbers.size()));
  }
  const Eigen::Matrix4d m = Eigen::Matrix<double, 4, 4, Eigen::RowMajor>::Map(numbers.data());
  if (m.row(3) != Eigen::RowVector4d(0, 0, 0, 1)) throw not_rigid(path);
  return rigid_transform(m.topRows<3>(), path);
}

}  // namespace

Eigen::Isometry3d rigid_transform(const Eigen::Matrix<double, 3, 4>& rows,
                                  const std::string& where) {
  const Eigen::Matrix3d turn = rows.leftCols<3>();
  const bool rigid = (turn * turn.transpose() - Eigen::Matrix3d::Identity()).norm() < kRigidity &&
                     turn.determinant() > 0;
  if (!rigid) throw not_rigid(where);
  if (!(rows.col(3).cwiseAbs().maxCoeff() <= kMostM)) {
    throw InputError(where, "metres within 10000 km", in_digits(rows.col(3).cwiseAbs().maxCoeff()));
  }
  Eigen::Isometry3d transform = Eigen::Isometry3d::Identity();
  transform.linear() = Eigen::Quaterniond(turn).normalized().toRotationMatrix();
  transform.translation() = rows.col(3);
  return transform;
}

Eigen::Isometry3d transform_from_text(const std::string& text) {
  if (!is_file(text)) return from_pose(text);
  return in_field(kField, [&] { return from_file(text); });
}

Eigen::Vector3d sensor_origin_from_text(const std::string& text) {
  const std::vector<double> numbers = numbers_of(text, 3, "sensor_origin", "x,y,z [m]");
  return {numbers[0], numbers[1], numbers[2]};
}

}  // namespace roadplane::kitti
