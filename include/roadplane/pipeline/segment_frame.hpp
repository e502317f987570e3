#pragma once

#include <filesystem>

#include "roadplane/kitti/frame.hpp"
#include "roadplane/pipeline/frame_record.hpp"
#include "roadplane/pipeline/segment_config.hpp"

namespace roadplane {

/// The whole job for one frame: read, share out, agree on the plane, label, score, draw. Files go
/// below `folder`. Bad input does not throw: it is the record's status and error.
FrameRecord segment_frame(const kitti::Frame& frame, const SegmentPlan& plan,
                          const std::filesystem::path& folder);

}  // namespace roadplane
