#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wire_reader.hpp"

namespace roadplane::kitti {

/// std_msgs/Header.
struct MessageHeader {
  std::int64_t stamp_ns = 0;  ///< since 1970, by the sender's clock
  std::string frame_id;
};

/// How many bytes of a message hold its header, for any frame_id of a reasonable length.
inline constexpr std::uint64_t kHeaderBytes = 512;

MessageHeader read_header(WireReader& reader);

struct CloudField {
  std::string name;
  std::uint32_t offset = 0;   ///< [bytes] in a point
  std::uint8_t datatype = 0;  ///< 1 to 8: int8, uint8, ..., float32, float64
  std::uint32_t count = 1;
};

/// sensor_msgs/PointCloud2, whose points are those of the message.
struct CloudMessage {
  MessageHeader header;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::vector<CloudField> fields;
  bool big_endian = false;
  std::uint32_t point_step = 0;  ///< [bytes]
  std::uint32_t row_step = 0;    ///< [bytes]
  std::span<const std::byte> data;
};

CloudMessage read_cloud_message(std::span<const std::byte> message, const std::string& encoding,
                                const std::string& where);

/// sensor_msgs/Image or CompressedImage.
struct ImageMessage {
  MessageHeader header;
  std::uint32_t height = 0;  ///< [px]; 0 of a compressed one
  std::uint32_t width = 0;
  std::string encoding;  ///< "rgb8", ...; of a compressed one its format, "jpeg"
  bool big_endian = false;
  std::uint32_t step = 0;  ///< [bytes] of a row
  std::span<const std::byte> data;
};

ImageMessage read_image_message(std::span<const std::byte> message, bool compressed,
                                const std::string& encoding, const std::string& where);

/// sensor_msgs/CameraInfo, as far as a projection needs it.
struct CameraMessage {
  MessageHeader header;
  std::uint32_t height = 0;  ///< [px]
  std::uint32_t width = 0;
  std::string distortion_model;
  std::vector<double> d;
  std::array<double, 9> k{};   ///< of the picture as it was taken, row by row
  std::array<double, 9> r{};   ///< to the rectified camera
  std::array<double, 12> p{};  ///< of the rectified picture
};

CameraMessage read_camera_message(std::span<const std::byte> message, const std::string& encoding,
                                  const std::string& where);

/// geometry_msgs/TransformStamped.
struct TransformMessage {
  std::string parent;
  std::string child;
  Eigen::Isometry3d to_parent = Eigen::Isometry3d::Identity();
};

std::vector<TransformMessage> read_transforms(std::span<const std::byte> message,
                                              const std::string& encoding,
                                              const std::string& where);

}  // namespace roadplane::kitti
