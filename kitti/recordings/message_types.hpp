#pragma once

#include <string>
#include <string_view>

namespace roadplane::kitti {

inline constexpr std::string_view kCloudType = "sensor_msgs/PointCloud2";
inline constexpr std::string_view kImageType = "sensor_msgs/Image";
inline constexpr std::string_view kCompressedImageType = "sensor_msgs/CompressedImage";
inline constexpr std::string_view kCameraInfoType = "sensor_msgs/CameraInfo";
inline constexpr std::string_view kTransformsType = "tf2_msgs/TFMessage";
inline constexpr std::string_view kRos1TransformsType = "tf/tfMessage";

/// Whether messages of a type are read at all.
bool is_used_type(std::string_view type);

/// The sum of the definition of a type that is read, as ROS 1 has it; empty for others.
std::string_view md5_of_type(std::string_view type);

/// What points of a sensor that are not PointCloud2 become it by: "velodyne_pointcloud (...)";
/// empty where nothing is known.
std::string_view converter_of_type(std::string_view type);

}  // namespace roadplane::kitti
