#pragma once

#include <Eigen/Geometry>
#include <string>

namespace roadplane::kitti {

/// From the frame of a file to the sensor's: the name of a file with the 16 numbers of a 4 x 4
/// matrix (or the 12 of its first three rows), row by row, or the sensor-frame pose
/// "x,y,z,roll,pitch,yaw" of the file's origin in metres and degrees, turned by
/// Rz(yaw) Ry(pitch) Rx(roll). Throws FieldError naming `transform`.
Eigen::Isometry3d transform_from_text(const std::string& text);

/// The place "x,y,z" of a sensor in metres. Throws FieldError naming `sensor_origin`.
Eigen::Vector3d sensor_origin_from_text(const std::string& text);

/// The rotation and translation that the rows of a file are, to its few digits. Throws InputError
/// for a matrix that scales, mirrors, shears or leads farther than 10000 km.
Eigen::Isometry3d rigid_transform(const Eigen::Matrix<double, 3, 4>& rows,
                                  const std::string& where);

}  // namespace roadplane::kitti
