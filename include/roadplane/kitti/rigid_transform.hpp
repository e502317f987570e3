#pragma once

#include <Eigen/Geometry>
#include <string>

namespace roadplane::kitti {

/// From the frame of a file to the sensor's: the name of a file with the 16 numbers of a 4 x 4
/// matrix (or the 12 of its first three rows), row by row, or the sensor-frame pose
/// "x,y,z,roll,pitch,yaw" of the file's origin in metres and degrees, turned by
/// Rz(yaw) Ry(pitch) Rx(roll). Throws FieldError naming `transform`.
Eigen::Isometry3d transform_from_text(const std::string& text);

}  // namespace roadplane::kitti
