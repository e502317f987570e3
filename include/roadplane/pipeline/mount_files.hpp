#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "roadplane/results/mount.hpp"

namespace roadplane {

/// Writes `mount.json`, how the sensor sits above the road, and for each sequence of several frames
/// `mount/SEQUENCE.png` and `.svg`, its roll and pitch over the frames, below the folder of a run.
/// Gives a line for each sequence, with what could not be drawn.
std::vector<std::string> write_mount(const std::filesystem::path& folder,
                                     std::span<const RoadView> views);

}  // namespace roadplane
