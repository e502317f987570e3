#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "roadplane/kitti/label_file.hpp"

namespace roadplane::kitti {

/// Whether a file holds nuScenes' labels, one byte a point, by its name: *_lidarseg.bin.
bool is_lidarseg(const std::filesystem::path& path);

/// The labels of a *_lidarseg.bin file as the SemanticKITTI classes that mean the same. Throws
/// InputError unless the file holds exactly `points` known classes.
Labels read_lidarseg(const std::filesystem::path& path, std::size_t points);

/// The label files of a nuScenes folder by the names of their scans: those with the scan's name in
/// lidarseg/*/, and those that the tables v1.0-*/lidarseg.json and sample_data.json name.
std::map<std::string, std::filesystem::path> lidarseg_files(const std::filesystem::path& root);

}  // namespace roadplane::kitti
