#include "message_types.hpp"

#include <array>

namespace roadplane::kitti {
namespace {

struct UsedType {
  std::string_view name;
  std::string_view md5;
};

constexpr std::array<UsedType, 6> kUsed{{
    {kCloudType, "1158d486dd51d683ce2f1be655c3c181"},
    {kImageType, "060021388200f6f0f447d0fcd9c64743"},
    {kCompressedImageType, "8f7a12909da2c9d3332d540a0977563f"},
    {kCameraInfoType, "c9a58c1b0b154e0e6da7578cb991d214"},
    {kTransformsType, "94810edda583a504dfda3829e70d7eec"},
    {kRos1TransformsType, "94810edda583a504dfda3829e70d7eec"},
}};

struct Converter {
  std::string_view type;  ///< or how it begins
  std::string_view how;
};

constexpr std::array<Converter, 13> kConverters{{
    {"velodyne_msgs/", "the transform node of velodyne_pointcloud"},
    {"ouster_ros/PacketMsg", "the os_cloud node of ouster-ros"},
    {"ouster_sensor_msgs/PacketMsg", "the os_cloud node of ouster-ros"},
    {"ouster_msgs/", "the os_cloud node of ouster-ros"},
    {"livox_ros_driver/CustomMsg", "livox_ros_driver with xfer_format 0, or livox_repub"},
    {"livox_ros_driver2/CustomMsg", "livox_ros_driver2 with xfer_format 0, or livox_repub"},
    {"livox_interfaces/CustomMsg", "livox_ros2_driver with xfer_format 0"},
    {"hesai_ros_driver/", "hesai_ros_driver with send_point_cloud_ros"},
    {"hesai_lidar/", "hesai_lidar with the packets as its source"},
    {"pandar_msgs/", "the driver of the Pandar"},
    {"rslidar_msgs/", "rslidar_sdk with send_point_cloud_ros"},
    {"rslidar_msg/", "rslidar_sdk with send_point_cloud_ros"},
    {"foxglove.PointCloud", "a node that publishes sensor_msgs/PointCloud2"},
}};

const UsedType* find(std::string_view type) {
  for (const UsedType& used : kUsed) {
    if (used.name == type) return &used;
  }
  return nullptr;
}

}  // namespace

bool is_used_type(std::string_view type) { return find(type) != nullptr; }

std::string_view md5_of_type(std::string_view type) {
  const UsedType* used = find(type);
  return used != nullptr ? used->md5 : std::string_view();
}

std::string_view converter_of_type(std::string_view type) {
  for (const Converter& converter : kConverters) {
    if (type.starts_with(converter.type)) return converter.how;
  }
  return {};
}

}  // namespace roadplane::kitti
