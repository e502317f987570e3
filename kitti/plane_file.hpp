#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace roadplane::kitti {

/// The unit hyperplane of a frame in a plane file (JSON):
///   {"normal": [x, y, z], "offset_m": h}   normal'p + h = 0 in the file's frame, or
///   {"w": [a, b, c, d]}                    the homogeneous hyperplane, any length, or
///   {"frames": {"000000": {...}, ...}}     one of the above per frame, keyed by the scan's stem.
/// Nothing if the file is of the last kind and does not know the frame. Throws InputError.
std::optional<Eigen::Vector4d> read_plane(const std::filesystem::path& path,
                                          const std::string& stem);
std::optional<Eigen::Vector4d> decode_plane(std::string_view text, const std::string& stem,
                                            const std::string& where);

}  // namespace roadplane::kitti
