#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace roadplane::kitti {

/// What the project's own check of a PCD or PLY file found. PCL crashes on, aborts on or silently
/// "loads" bad files, so that it gets to see a file only after this check.
struct CloudHeader {
  std::uint64_t points = 0;
  std::string reflectance_field;  ///< intensity, reflectance or i; empty without any
};

/// The whole content of a file is checked against its header: x, y and z exist, the binary data is
/// as long as the header says, every ASCII value is a number. `where` begins the message of an
/// InputError.
CloudHeader check_pcd(std::span<const std::byte> content, const std::string& where);
CloudHeader check_ply(std::span<const std::byte> content, const std::string& where);

}  // namespace roadplane::kitti
