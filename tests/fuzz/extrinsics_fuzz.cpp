#include "file_in_memory.hpp"
#include "roadplane/kitti/extrinsics_file.hpp"

// Any content of a file of extrinsics: named rigid transforms, or an InputError.
void roadplane::fuzz(std::span<const std::byte> content) {
  const FileInMemory file(content);
  for (const kitti::NamedExtrinsic& each : kitti::read_extrinsics(file.path())) {
    const Eigen::Matrix3d turn = each.to_vehicle.linear();
    require(each.to_vehicle.translation().allFinite());
    require((turn * turn.transpose() - Eigen::Matrix3d::Identity()).norm() < 1e-6);
  }
}
