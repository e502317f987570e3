#pragma once

#include <Eigen/Geometry>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "roadplane/geometry/point.hpp"
#include "roadplane/kitti/raw_format.hpp"

namespace roadplane::kitti {

/// How a scan's file is to be understood, where its name does not say.
struct ScanReading {
  std::optional<RawFormat> format{};             ///< of a `.bin` file; nothing: what its name says
  std::optional<Eigen::Isometry3d> to_sensor{};  ///< from the file's frame; nothing: they are one
};

/// The extensions that read_scan knows, in small letters.
inline const std::initializer_list<std::string_view> kScanExtensions{".bin", ".pcd", ".ply", ".npy",
                                                                     ".las", ".csv", ".xyz"};

/// A scan of any known type, by its extension: `.bin` (raw floats), `.pcd`, `.ply`, `.npy`, `.csv`
/// or `.xyz` (columns x y z and, if there are more, reflectance) and uncompressed `.las`.
/// Reflectance of PCD and PLY is kept where the file has a field `intensity`, `reflectance` or `i`.
/// Throws InputError; raw numbers that cannot be a scan are refused, too.
Scan read_scan(const std::filesystem::path& path, const ScanReading& reading = {});

/// How a file that read_scan does not know becomes one that it does: "found ..., made readable by
/// ...", for a message.
std::string unknown_file(const std::filesystem::path& path);

}  // namespace roadplane::kitti
