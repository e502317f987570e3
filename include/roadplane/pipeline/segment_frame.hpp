#pragma once

#include <filesystem>

#include "roadplane/kitti/frame.hpp"
#include "roadplane/mpi/process_group.hpp"
#include "roadplane/pipeline/frame_track.hpp"
#include "roadplane/pipeline/segment_config.hpp"
#include "roadplane/results/frame_record.hpp"

namespace roadplane {

/// The whole job for one frame: read, share out, agree on the plane, label, score, draw. Every
/// process does its own agents' part; the leader's record is the frame's, and it writes the files,
/// below `folder`. Bad input does not throw: it is the record's status and error. A failure that
/// the other processes do not know of does. With a track the plane is tracked from the frame
/// before.
FrameRecord segment_frame(const kitti::Frame& frame, const SegmentPlan& plan,
                          const std::filesystem::path& folder,
                          const ProcessGroup& processes = SingleProcess(),
                          FrameTrack* track = nullptr);

/// Where it writes the frame's label.
std::filesystem::path label_path(const std::filesystem::path& folder, const kitti::Frame& frame);

/// Tracks the plane of a frame that has been done before, for what the next one needs of it.
void follow_frame(const kitti::Frame& frame, const SegmentPlan& plan, const ProcessGroup& processes,
                  FrameTrack& track);

}  // namespace roadplane
