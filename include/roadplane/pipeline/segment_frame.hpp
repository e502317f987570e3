#pragma once

#include <filesystem>

#include "roadplane/kitti/frame.hpp"
#include "roadplane/mpi/team.hpp"
#include "roadplane/pipeline/segment_config.hpp"
#include "roadplane/results/frame_record.hpp"

namespace roadplane {

/// The whole job for one frame: read, share out, agree on the plane, label, score, draw. Every
/// member of the team does its own agents' part; the leader's record is the frame's, and it writes
/// the files, below `folder`. Bad input does not throw: it is the record's status and error. A
/// failure that the other members do not know of does.
FrameRecord segment_frame(const kitti::Frame& frame, const SegmentPlan& plan,
                          const std::filesystem::path& folder, const Team& team = Alone());

}  // namespace roadplane
