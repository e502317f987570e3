#include "roadplane/pipeline/segment_sequence.hpp"

#include <map>
#include <string>

#include "roadplane/pipeline/frame_files.hpp"
#include "roadplane/pipeline/jumps.hpp"
#include "roadplane/pipeline/segment_frame.hpp"

namespace roadplane {
namespace {

/// Whether a frame of an earlier run need not be done again: its label, if it has one, must still
/// be there.
bool stays_done(const FrameRecord& record, const kitti::Frame& frame, const SegmentPlan& plan,
                const std::filesystem::path& folder, Again again) {
  const bool bad = record.status == FrameStatus::failed || record.status == FrameStatus::incomplete;
  if (bad && again == Again::bad_frames) return false;
  if (!plan.save.label || record.status == FrameStatus::failed) return true;
  std::error_code error;
  const auto bytes = std::filesystem::file_size(label_path(folder, frame), error);
  return !error && bytes == sizeof(std::uint32_t) * record.points;
}

}  // namespace

std::vector<bool> frames_done(const std::vector<kitti::Frame>& frames, const SegmentPlan& plan,
                              const RunFolder& run, Again again) {
  std::map<std::string, const FrameRecord*> records;
  for (const FrameRecord& record : run.done()) records.emplace(record.name, &record);
  std::vector<bool> done;
  for (const kitti::Frame& frame : frames) {
    const auto found = records.find(frame.name());
    done.push_back(found != records.end() &&
                   stays_done(*found->second, frame, plan, run.path(), again));
  }
  return done;
}

std::vector<FrameRecord> segment_sequence(const std::vector<kitti::Frame>& frames,
                                          const SegmentPlan& plan, RunFolder* run, Again again,
                                          FrameScheduler& scheduler, const FrameDone& frame_done,
                                          const std::atomic<bool>& stop) {
  // Only the first process knows what has been done before; it tells the others.
  std::map<std::string, FrameRecord> records;
  std::string is_done(frames.size(), '0');
  std::string folder;
  if (run != nullptr) {
    folder = std::filesystem::absolute(run->path()).string();
    const std::vector<bool> done = frames_done(frames, plan, *run, again);
    for (const FrameRecord& record : run->done()) records.emplace(record.name, record);
    for (std::size_t k = 0; k < frames.size(); ++k) {
      if (done[k]) {
        is_done[k] = '1';
      } else {
        records.erase(frames[k].name());
      }
    }
  }
  is_done = scheduler.all_processes().broadcast(is_done);
  folder = scheduler.all_processes().broadcast(folder);
  std::vector<const kitti::Frame*> to_do;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    if (is_done[k] == '0') to_do.push_back(&frames[k]);
  }

  const auto segment = [&](std::size_t number, const ProcessGroup& processes) {
    return segment_frame(*to_do[number], plan, folder, processes);
  };
  const auto keep = [&](const FrameRecord& record) {
    run->append(record);
    records.emplace(record.name, record);
    frame_done(record);
  };
  scheduler.do_frames(to_do.size(), segment, keep, stop);

  std::vector<FrameRecord> ordered;
  for (const kitti::Frame& frame : frames) {
    if (const auto found = records.find(frame.name()); found != records.end()) {
      ordered.push_back(found->second);
    }
  }
  return with_jumps_noted(std::move(ordered));
}

std::vector<FrameRecord> segment_sequence(const std::vector<kitti::Frame>& frames,
                                          const SegmentPlan& plan, RunFolder& run, int jobs,
                                          const FrameDone& frame_done,
                                          const std::atomic<bool>& stop) {
  ThreadScheduler scheduler(jobs);
  return segment_sequence(frames, plan, &run, Again::nothing, scheduler, frame_done, stop);
}

}  // namespace roadplane
