#pragma once

#include <Eigen/Geometry>
#include <filesystem>
#include <string>
#include <vector>

namespace roadplane::kitti {

struct NamedExtrinsic {
  std::string name;              ///< of the LiDAR
  Eigen::Isometry3d to_vehicle;  ///< from its frame
};

/// The places of several LiDARs on one vehicle: lines of `NAME: x,y,z,roll,pitch,yaw` in metres and
/// degrees (as transform_from_text has them), or OpenCalib's `device_id: N` followed by
/// `(Roll,Pitch,Yaw,tx,ty,tz): ...`, with the names of the scans in lidar_cloud_path.txt beside it.
/// Throws InputError.
std::vector<NamedExtrinsic> read_extrinsics(const std::filesystem::path& file);

}  // namespace roadplane::kitti
