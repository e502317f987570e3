#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "roadplane/kitti/frame.hpp"
#include "roadplane/pipeline/segment_config.hpp"
#include "roadplane/results/frame_record.hpp"

namespace roadplane {

/// Writes mcap/SEQUENCE.mcap of every sequence of a finished run, from its labels and records and
/// the scans. Returns a line for each frame that could not be taken. Throws InputError if a file
/// cannot be written.
std::vector<std::string> write_labelled_recordings(std::span<const kitti::Frame> frames,
                                                   const SegmentPlan& plan,
                                                   std::span<const FrameRecord> records,
                                                   const std::filesystem::path& folder);

}  // namespace roadplane
