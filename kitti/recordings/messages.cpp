#include "messages.hpp"

#include "roadplane/base/words.hpp"

namespace roadplane::kitti {

MessageHeader read_header(WireReader& reader) {
  if (reader.is_ros1()) reader.value<std::uint32_t>();  // a sequence number
  MessageHeader header;
  // A time before 1970 is none; ROS 2 has signed seconds.
  const std::int64_t seconds =
      reader.is_ros1() ? std::int64_t{reader.value<std::uint32_t>()} : reader.value<std::int32_t>();
  header.stamp_ns = 1'000'000'000 * seconds + reader.value<std::uint32_t>();
  header.frame_id = reader.text();
  return header;
}

CloudMessage read_cloud_message(std::span<const std::byte> message, const std::string& encoding,
                                const std::string& where) {
  constexpr std::uint32_t kMostFields = 1024;
  WireReader reader(message, encoding, where);
  CloudMessage cloud;
  cloud.header = read_header(reader);
  cloud.height = reader.value<std::uint32_t>();
  cloud.width = reader.value<std::uint32_t>();
  constexpr std::size_t kFieldBytes = 13;
  const std::uint32_t fields = reader.count(kFieldBytes);
  if (fields > kMostFields) {
    throw InputError(where, "at most " + std::to_string(kMostFields) + " fields",
                     std::to_string(fields));
  }
  for (std::uint32_t k = 0; k < fields; ++k) {
    CloudField& field = cloud.fields.emplace_back();
    field.name = reader.text();
    field.offset = reader.value<std::uint32_t>();
    field.datatype = reader.value<std::uint8_t>();
    field.count = reader.value<std::uint32_t>();
  }
  cloud.big_endian = reader.value<std::uint8_t>() != 0;
  cloud.point_step = reader.value<std::uint32_t>();
  cloud.row_step = reader.value<std::uint32_t>();
  cloud.data = reader.bytes();
  return cloud;
}

ImageMessage read_image_message(std::span<const std::byte> message, bool compressed,
                                const std::string& encoding, const std::string& where) {
  WireReader reader(message, encoding, where);
  ImageMessage image;
  image.header = read_header(reader);
  if (!compressed) {
    image.height = reader.value<std::uint32_t>();
    image.width = reader.value<std::uint32_t>();
  }
  image.encoding = reader.text();
  if (!compressed) {
    image.big_endian = reader.value<std::uint8_t>() != 0;
    image.step = reader.value<std::uint32_t>();
  }
  image.data = reader.bytes();
  return image;
}

CameraMessage read_camera_message(std::span<const std::byte> message, const std::string& encoding,
                                  const std::string& where) {
  WireReader reader(message, encoding, where);
  CameraMessage camera;
  camera.header = read_header(reader);
  camera.height = reader.value<std::uint32_t>();
  camera.width = reader.value<std::uint32_t>();
  camera.distortion_model = reader.text();
  const std::uint32_t coefficients = reader.count(sizeof(double));
  for (std::uint32_t k = 0; k < coefficients; ++k) camera.d.push_back(reader.value<double>());
  camera.k = reader.numbers<9>();
  camera.r = reader.numbers<9>();
  camera.p = reader.numbers<12>();
  return camera;
}

std::vector<TransformMessage> read_transforms(std::span<const std::byte> message,
                                              const std::string& encoding,
                                              const std::string& where) {
  WireReader reader(message, encoding, where);
  constexpr std::size_t kTransformBytes = 72;
  const std::uint32_t count = reader.count(kTransformBytes);
  std::vector<TransformMessage> transforms;
  for (std::uint32_t k = 0; k < count; ++k) {
    TransformMessage transform;
    transform.parent = read_header(reader).frame_id;
    transform.child = reader.text();
    const auto t = reader.numbers<3>();
    const auto q = reader.numbers<4>();  // x y z w
    const Eigen::Quaterniond turn(q[3], q[0], q[1], q[2]);
    const Eigen::Vector3d shift(t[0], t[1], t[2]);
    const double length = turn.norm();
    if (!shift.allFinite() || !(length > 0.5 && length < 2)) {
      throw InputError(where, "a rotation and a translation from " + in_quotes(transform.child),
                       "numbers that are none");
    }
    transform.to_parent = Eigen::Translation3d(shift) * turn.normalized();
    transforms.push_back(std::move(transform));
  }
  return transforms;
}

}  // namespace roadplane::kitti
