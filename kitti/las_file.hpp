#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace roadplane::kitti {

/// A point as a survey's file has it: coordinates of a map do not fit into a float.
struct SurveyPoint {
  Eigen::Vector3d position;
  float reflectance = 0;
};

/// The points of an uncompressed LAS 1.2 to 1.4 file's content; `where` begins the message of an
/// InputError.
std::vector<SurveyPoint> decode_las(std::span<const std::byte> bytes, const std::string& where);

}  // namespace roadplane::kitti
