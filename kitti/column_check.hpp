#pragma once

#include <string>

#include "roadplane/geometry/scan_share.hpp"

namespace roadplane::kitti {

/// Raw numbers say nothing about what they are. Throws InputError beginning with `where` if some of
/// the points cannot be x, y, z and a reflectance: numbers that no sensor measures, columns that
/// all look alike because the records have another length, a ring number in place of z. `hint` ends
/// the message.
void check_columns(const PointSource& scan, const std::string& where, const std::string& hint);
/// The same for raw floats.
void check_raw_columns(const PointSource& scan, const std::string& where);

}  // namespace roadplane::kitti
