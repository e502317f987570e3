#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "layouts.hpp"

namespace roadplane::kitti {

/// The clouds of a recording, by the time when they were recorded. Throws FieldError naming `topic`
/// where several have clouds or the one named has none, InputError where there are none at all.
Frames recorded_frames(const std::filesystem::path& path, const std::optional<std::string>& topic);

/// The recordings in a folder, sorted by name.
std::vector<std::filesystem::path> recordings_in(const std::filesystem::path& folder);

}  // namespace roadplane::kitti
