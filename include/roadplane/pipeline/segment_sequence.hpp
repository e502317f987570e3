#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "roadplane/kitti/frame.hpp"
#include "roadplane/pipeline/frame_scheduler.hpp"
#include "roadplane/pipeline/segment_config.hpp"
#include "roadplane/results/run_folder.hpp"

namespace roadplane {

/// Called after each frame, from one thread at a time.
using FrameDone = std::function<void(const FrameRecord&)>;

/// Of the frames that an earlier run has done, those to do again beside the ones of whose files one
/// has gone missing, is empty or (a label) has the wrong size.
enum class Again {
  nothing,
  bad_frames,  ///< failed and incomplete ones
};

/// For each frame whether the run has done it and it need not be done again. What a track did after
/// a frame that is done again is, too.
std::vector<bool> frames_done(const std::vector<kitti::Frame>& frames, const SegmentPlan& plan,
                              const RunFolder& run, Again again);

/// Of every record's frame a file that the run has written and that is not there any more, or is
/// empty.
std::vector<std::filesystem::path> lost_files(const std::vector<kitti::Frame>& frames,
                                              const SegmentPlan& plan,
                                              std::span<const FrameRecord> records,
                                              const std::filesystem::path& folder);

/// Segments the frames that the run has not done yet and returns the records of all frames in the
/// frames' order. Each frame's result is the same whoever does it: a track is begun afresh every 64
/// frames, which are done one after the other. A true `stop` ends the work after the frames under
/// way. All processes call it; the first one has the run, and
/// it alone writes records, calls `frame_done` and gets them back.
std::vector<FrameRecord> segment_sequence(const std::vector<kitti::Frame>& frames,
                                          const SegmentPlan& plan, RunFolder* run, Again again,
                                          FrameScheduler& scheduler, const FrameDone& frame_done,
                                          const std::atomic<bool>& stop);

/// The same by `jobs` threads of this process.
std::vector<FrameRecord> segment_sequence(const std::vector<kitti::Frame>& frames,
                                          const SegmentPlan& plan, RunFolder& run, int jobs,
                                          const FrameDone& frame_done,
                                          const std::atomic<bool>& stop);

}  // namespace roadplane
