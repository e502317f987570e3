#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "roadplane/kitti/dataset.hpp"

namespace roadplane::kitti {

/// A folder whose layout is known, and the folders of its sequences: itself, or some inside it.
struct Recognised {
  Layout layout = Layout::scans;
  std::vector<std::filesystem::path> sequences;
};

/// Nothing if the folder has none of the known layouts.
std::optional<Recognised> recognise(const std::filesystem::path& folder);

/// The frames of one sequence, sorted by number, and what is to be said about them.
struct Frames {
  std::vector<Frame> frames;
  std::vector<std::string> remarks;
};
/// Throws InputError if the sequence cannot be listed.
Frames frames_of(Layout layout, const std::filesystem::path& sequence);

/// The sequence that a folder of scans belongs to: two levels above `velodyne_points/data` and
/// `samples/LIDAR_TOP`, above `velodyne` and `velodyne_points`, else the folder itself.
std::filesystem::path enclosing_sequence(const std::filesystem::path& folder);

/// What recognise knows, for a message: one indented line per layout.
std::string known_layouts();

}  // namespace roadplane::kitti
