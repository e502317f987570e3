#include "pcl_cloud.hpp"

#include <pcl/PCLPointCloud2.h>
#include <pcl/console/print.h>
#include <pcl/io/pcd_io.h>
#include <pcl/io/ply_io.h>

#include <cstring>
#include <string>

#include "roadplane/base/input_error.hpp"
#include "roadplane/base/mapped_file.hpp"
#include "roadplane/kitti/cloud_header.hpp"

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

template <class Reader>
Scan read_checked(const std::filesystem::path& path, const CloudHeader& header) {
  const std::string where = path.string();
  pcl::PCLPointCloud2 cloud;
  Eigen::Vector4f origin;
  Eigen::Quaternionf orientation;
  int version = 0;
  int status = -1;
  // PCL prints its warnings; what matters becomes an InputError.
  pcl::console::setVerbosityLevel(pcl::console::L_ALWAYS);
  try {
    status = Reader().read(where, cloud, origin, orientation, version);
  } catch (const std::exception& error) {
    throw InputError(where, "a cloud that PCL reads", error.what());
  }
  if (status < 0) throw InputError(where, "a cloud that PCL reads", "damaged data");
  return to_scan(cloud, header, where);
}

}  // namespace

Scan read_pcd(const std::filesystem::path& path) {
  return read_checked<pcl::PCDReader>(path, check_pcd(MappedFile(path).bytes(), path.string()));
}

Scan read_ply(const std::filesystem::path& path) {
  return read_checked<pcl::PLYReader>(path, check_ply(MappedFile(path).bytes(), path.string()));
}

}  // namespace roadplane::kitti
