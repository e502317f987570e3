#pragma once

#include <functional>

#include "roadplane/kitti/scan_stream.hpp"
#include "roadplane/pipeline/segment_config.hpp"
#include "roadplane/results/frame_record.hpp"

namespace roadplane {

/// Called with each scan's record and the milliseconds since its last byte came.
using Answer = std::function<void(const FrameRecord& record, double latency_ms)>;

/// Segments scans as they come: each begins at the plane of the one before, as --track does with
/// files, and gives the same planes. A scan that holds no plane fails; others go on. Memory is that
/// of one scan. Throws InputError where the stream cannot be understood any more.
void segment_stream(kitti::ScanStream& stream, const kitti::DataConfig& data,
                    const SegmentPlan& plan, const Answer& answer);

}  // namespace roadplane
