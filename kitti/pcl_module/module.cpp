#include "functions.hpp"
#include "pcl_cloud.hpp"

using namespace roadplane;

void roadplane_read_pcd(const std::filesystem::path& path, Scan& scan) {
  scan = kitti::read_pcd(path);
}

void roadplane_read_ply(const std::filesystem::path& path, Scan& scan) {
  scan = kitti::read_ply(path);
}
