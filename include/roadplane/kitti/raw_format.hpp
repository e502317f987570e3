#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "roadplane/geometry/point.hpp"

namespace roadplane::kitti {

/// The records of a raw file: 32-bit little-endian floats without a header, so that nothing in the
/// file says what it is.
enum class RawFormat {
  kitti,     ///< x y z reflectance (0..1)
  nuscenes,  ///< x y z intensity (0..255) ring, with x to the right and y forward
  xyz,       ///< x y z
  xyzi,      ///< x y z intensity
  xyzir,     ///< x y z intensity ring
};

/// Throws FieldError naming `format`.
RawFormat raw_format_from_string(std::string_view name);

/// What a file's name says: nuscenes for `.pcd.bin`, else kitti.
RawFormat raw_format_of_name(const std::filesystem::path& path);

/// Whether a file's bytes are Points as they lie there.
bool are_points(RawFormat format);

/// The points of a raw file's content, x forward whatever the file's axes are. `where` begins the
/// message of an InputError.
Scan decode_raw(std::span<const std::byte> bytes, RawFormat format, const std::string& where);

/// The number of points that so many bytes are; throws InputError where they are not whole points.
std::size_t raw_points(std::size_t bytes, RawFormat format, const std::string& where);

}  // namespace roadplane::kitti
