#pragma once

#include <algorithm>
#include <filesystem>

#include "folder.hpp"
#include "roadplane/kitti/cloud_file.hpp"

namespace roadplane::kitti {

/// Beside kScanExtensions: archives of numpy, and text that is often something else.
inline const std::initializer_list<std::string_view> kMoreScanExtensions{".npz", ".asc", ".txt"};

/// Whether read_scan knows files of such a name.
inline bool has_scan_extension(const std::filesystem::path& path) {
  const auto among = [extension = lower_extension(path)](const auto& list) {
    return std::find(list.begin(), list.end(), extension) != list.end();
  };
  return among(kScanExtensions) || among(kMoreScanExtensions);
}

}  // namespace roadplane::kitti
