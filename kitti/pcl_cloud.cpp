#include "pcl_cloud.hpp"

#include <pcl/PCLPointCloud2.h>
#include <pcl/console/print.h>
#include <pcl/io/pcd_io.h>
#include <pcl/io/ply_io.h>

#include <cstring>
#include <sstream>
#include <string>

#include "cloud_header.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"

namespace roadplane::kitti {
namespace {

template <class T>
float load_as(const std::uint8_t* data) {
  T value{};
  std::memcpy(&value, data, sizeof value);
  return static_cast<float>(value);
}

/// Reads one field of a PCL record as a float, whatever its type.
class FieldReader {
 public:
  FieldReader(const pcl::PCLPointCloud2& cloud, const std::string& name, const std::string& where) {
    if (name.empty()) return;
    for (const pcl::PCLPointField& field : cloud.fields) {
      if (field.name != name) continue;
      offset_ = field.offset;
      load_ = loader(field.datatype);
      const std::size_t size = pcl::getFieldSize(field.datatype);
      if (load_ != nullptr && offset_ + size <= cloud.point_step) return;
    }
    throw InputError(where, "a numeric field " + name, "none that can be read");
  }

  float operator()(const std::uint8_t* record) const {
    return load_ == nullptr ? 0 : load_(record + offset_);
  }

 private:
  using Load = float (*)(const std::uint8_t*);

  static Load loader(std::uint8_t type) {
    switch (type) {
      case pcl::PCLPointField::INT8:
        return &load_as<std::int8_t>;
      case pcl::PCLPointField::UINT8:
        return &load_as<std::uint8_t>;
      case pcl::PCLPointField::INT16:
        return &load_as<std::int16_t>;
      case pcl::PCLPointField::UINT16:
        return &load_as<std::uint16_t>;
      case pcl::PCLPointField::INT32:
        return &load_as<std::int32_t>;
      case pcl::PCLPointField::UINT32:
        return &load_as<std::uint32_t>;
      case pcl::PCLPointField::FLOAT32:
        return &load_as<float>;
      case pcl::PCLPointField::FLOAT64:
        return &load_as<double>;
      default:
        return nullptr;
    }
  }

  std::size_t offset_ = 0;
  Load load_ = nullptr;  ///< none: the field does not exist and reads as 0
};

Scan to_scan(const pcl::PCLPointCloud2& cloud, const CloudHeader& header,
             const std::string& where) {
  const std::uint64_t points = std::uint64_t{cloud.width} * cloud.height;
  if (points != header.points || cloud.data.size() < points * cloud.point_step) {
    throw InputError(where, std::to_string(header.points) + " points, as its header says",
                     std::to_string(points));
  }
  const FieldReader x(cloud, "x", where);
  const FieldReader y(cloud, "y", where);
  const FieldReader z(cloud, "z", where);
  const FieldReader reflectance(cloud, header.reflectance_field, where);
  Scan scan(points);
  const std::uint8_t* record = cloud.data.data();
  for (Point& point : scan) {
    point = {x(record), y(record), z(record), reflectance(record)};
    record += cloud.point_step;
  }
  return scan;
}

/// Of the sensor, which nothing is made of.
struct Pose {
  Eigen::Vector4f origin;
  Eigen::Quaternionf orientation;
  int version = 0;
};

/// From memory: PCL would map the file, and one that is cut short meanwhile ends the process.
int decode_pcd(const FileBytes& bytes, pcl::PCLPointCloud2& cloud) {
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  std::istringstream stream(std::string(reinterpret_cast<const char*>(data), bytes.size()));
  pcl::PCDReader reader;
  Pose pose;
  int kind = 0;  // ASCII, binary or compressed
  unsigned int body = 0;
  if (const int status =
          reader.readHeader(stream, cloud, pose.origin, pose.orientation, pose.version, kind, body);
      status < 0) {
    return status;
  }
  if (kind != 0) return reader.readBodyBinary(data, cloud, pose.version, kind == 2, body);
  stream.clear();
  stream.seekg(body);
  return reader.readBodyASCII(stream, cloud, pose.version);
}

template <class Decode>
Scan read_checked(const std::filesystem::path& path, const CloudHeader& header,
                  const Decode& decode) {
  const std::string where = path.string();
  pcl::PCLPointCloud2 cloud;
  int status = -1;
  // PCL prints its warnings; what matters becomes an InputError.
  pcl::console::setVerbosityLevel(pcl::console::L_ALWAYS);
  try {
    status = decode(cloud);
  } catch (const std::exception& error) {
    throw InputError(where, "a cloud that PCL reads", error.what());
  }
  if (status < 0) throw InputError(where, "a cloud that PCL reads", "damaged data");
  return to_scan(cloud, header, where);
}

}  // namespace

Scan read_pcd(const std::filesystem::path& path) {
  const FileBytes bytes = read_file(path);
  return read_checked(path, check_pcd(bytes, path.string()),
                      [&](pcl::PCLPointCloud2& cloud) { return decode_pcd(bytes, cloud); });
}

Scan read_ply(const std::filesystem::path& path) {
  return read_checked(path, check_ply(read_file(path), path.string()),
                      [&](pcl::PCLPointCloud2& cloud) {
                        Pose pose;
                        return pcl::PLYReader().read(path.string(), cloud, pose.origin,
                                                     pose.orientation, pose.version);
                      });
}

}  // namespace roadplane::kitti
