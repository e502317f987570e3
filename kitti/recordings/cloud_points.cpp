#include "cloud_points.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "roadplane/base/input_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane::kitti {
namespace {

constexpr std::array<std::size_t, 9> kDatatypeBytes{0, 1, 1, 2, 2, 4, 4, 4, 8};
constexpr std::uint8_t kFloat32 = 7;

template <class T>
double number(const std::byte* bytes, bool big_endian) {
  std::array<std::byte, sizeof(T)> value;
  std::memcpy(value.data(), bytes, sizeof(T));
  if (big_endian) std::ranges::reverse(value);
  return static_cast<double>(little_endian<T>(value.data()));
}

/// A value of one of the eight datatypes. A float stays the float that it is.
double number(const std::byte* bytes, std::uint8_t datatype, bool big_endian) {
  switch (datatype) {
    case 1:
      return number<std::int8_t>(bytes, big_endian);
    case 2:
      return number<std::uint8_t>(bytes, big_endian);
    case 3:
      return number<std::int16_t>(bytes, big_endian);
    case 4:
      return number<std::uint16_t>(bytes, big_endian);
    case 5:
      return number<std::int32_t>(bytes, big_endian);
    case 6:
      return number<std::uint32_t>(bytes, big_endian);
    case kFloat32:
      return number<float>(bytes, big_endian);
    default:
      return number<double>(bytes, big_endian);
  }
}

const CloudField* find_field(const CloudMessage& cloud, std::string_view name,
                             const std::string& where) {
  const CloudField* found = nullptr;
  for (const CloudField& field : cloud.fields) {
    if (field.name != name) continue;
    if (found != nullptr) throw InputError(where, "each field once", std::string(name) + " twice");
    found = &field;
  }
  if (found == nullptr) return nullptr;
  if (found->datatype < 1 || found->datatype >= kDatatypeBytes.size()) {
    throw InputError(where, "a datatype of 1 to 8",
                     std::to_string(found->datatype) + " of " + std::string(name));
  }
  if (std::uint64_t{found->offset} + kDatatypeBytes[found->datatype] > cloud.point_step) {
    throw InputError(where,
                     "fields in the " + std::to_string(cloud.point_step) + " bytes of a point",
                     std::string(name) + " at byte " + std::to_string(found->offset));
  }
  return found;
}

struct Fields {
  std::array<const CloudField*, 3> place{};  ///< x y z
  const CloudField* reflectance = nullptr;

  Fields(const CloudMessage& cloud, const std::string& where) {
    constexpr std::array<std::string_view, 3> kPlace{"x", "y", "z"};
    for (std::size_t k = 0; k < kPlace.size(); ++k) {
      place[k] = find_field(cloud, kPlace[k], where);
      if (place[k] != nullptr) continue;
      std::string names;
      for (const CloudField& field : cloud.fields) names += " " + in_quotes(field.name);
      throw InputError(where, "fields x, y and z",
                       "no " + std::string(kPlace[k]) + shortened(names, 200));
    }
    for (const char* name : {"intensity", "reflectance", "reflectivity", "i"}) {
      reflectance = find_field(cloud, name, where);
      if (reflectance != nullptr) return;
    }
  }

  /// Whether each of them is read as it lies there.
  bool are_floats() const {
    const auto is_float = [](const CloudField* f) { return f->datatype == kFloat32; };
    return std::all_of(place.begin(), place.end(), is_float) &&
           (reflectance == nullptr || is_float(reflectance));
  }
};

/// [bytes] from a row to the next.
std::uint64_t checked_row_step(const CloudMessage& cloud, const std::string& where) {
  if (count_of(cloud) == 0) throw InputError(where, "at least one point", "none");
  const std::uint64_t row = std::uint64_t{cloud.width} * cloud.point_step;
  // With one row it is not needed, and often left out; 0 is left out, too.
  const std::uint64_t step = cloud.height == 1 || cloud.row_step == 0 ? row : cloud.row_step;
  if (step < row) {
    throw InputError(where, "rows of at least " + std::to_string(row) + " bytes",
                     std::to_string(step));
  }
  const std::uint64_t rest = cloud.data.size();
  if (row > rest || (step > 0 && (cloud.height - 1) > (rest - row) / step)) {
    throw InputError(where,
                     std::to_string(cloud.height) + " x " + std::to_string(cloud.width) +
                         " points of " + std::to_string(cloud.point_step) + " bytes",
                     std::to_string(rest) + " bytes");
  }
  return step;
}

Point float_point(const std::byte* point, const Fields& fields) {
  Point p;
  std::memcpy(&p.x, point + fields.place[0]->offset, sizeof p.x);
  std::memcpy(&p.y, point + fields.place[1]->offset, sizeof p.y);
  std::memcpy(&p.z, point + fields.place[2]->offset, sizeof p.z);
  if (fields.reflectance != nullptr) {
    std::memcpy(&p.reflectance, point + fields.reflectance->offset, sizeof p.reflectance);
  }
  return p;
}

Point any_point(const std::byte* point, const Fields& fields, bool big_endian,
                const std::optional<Eigen::Isometry3d>& to_sensor) {
  const auto value = [&](const CloudField& field) {
    return number(point + field.offset, field.datatype, big_endian);
  };
  Eigen::Vector3d place(value(*fields.place[0]), value(*fields.place[1]), value(*fields.place[2]));
  // A missing return stays one: it has no place that could be moved.
  if (to_sensor && !place.isZero(0)) place = *to_sensor * place;
  const Eigen::Vector3f p = place.cast<float>();
  const float reflectance =
      fields.reflectance != nullptr ? static_cast<float>(value(*fields.reflectance)) : 0;
  return {p.x(), p.y(), p.z(), reflectance};
}

}  // namespace

std::uint64_t count_of(const CloudMessage& cloud) {
  return std::uint64_t{cloud.height} * cloud.width;
}

Scan points_of(const CloudMessage& cloud, const std::optional<Eigen::Isometry3d>& to_sensor,
               const std::string& where) {
  const Fields fields(cloud, where);  // of which x is within a point: it has bytes
  const std::uint64_t row_step = checked_row_step(cloud, where);
  const bool plain = !to_sensor && !cloud.big_endian && fields.are_floats();
  Scan scan(count_of(cloud));
  Point* next = scan.data();
  for (std::uint32_t v = 0; v < cloud.height; ++v) {
    const std::byte* point = cloud.data.data() + v * row_step;
    for (std::uint32_t u = 0; u < cloud.width; ++u, point += cloud.point_step) {
      *next++ = plain ? float_point(point, fields)
                      : any_point(point, fields, cloud.big_endian, to_sensor);
    }
  }
  return scan;
}

}  // namespace roadplane::kitti
