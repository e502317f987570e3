#include "roadplane/pipeline/segment_sequence.hpp"

#include <map>
#include <optional>
#include <string>

#include "frame_files.hpp"
#include "roadplane/pipeline/frame_track.hpp"
#include "roadplane/pipeline/jumps.hpp"
#include "roadplane/pipeline/segment_frame.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;

/// A file of a frame that is not there any more or has lost its content. An incomplete frame may
/// never have had others than its label.
std::optional<fs::path> lost_file(const FrameRecord& record, const kitti::Frame& frame,
                                  const SegmentPlan& plan, const fs::path& folder) {
  if (record.status == FrameStatus::failed) return std::nullopt;
  const auto bytes_of = [](const fs::path& path) {
    std::error_code error;
    const auto bytes = fs::file_size(path, error);
    return error ? 0 : bytes;
  };
  const fs::path label = label_path(folder, frame);
  if (plan.save.label && bytes_of(label) != sizeof(std::uint32_t) * record.points) return label;
  if (!record.error.empty()) return std::nullopt;
  for (fs::path& path : frame_paths(folder, frame, plan)) {
    if (bytes_of(path) == 0) return std::move(path);
  }
  return std::nullopt;
}

/// What comes after a frame that is done again follows from it.
std::vector<bool> up_to_first_left(std::vector<bool> done,
                                   const std::vector<kitti::Frame>& frames) {
  const std::vector<std::size_t> chunks = chunks_of(frames);
  for (std::size_t k = 1; k < done.size(); ++k) {
    if (chunks[k] == chunks[k - 1] && !done[k - 1]) done[k] = false;
  }
  return done;
}

/// Whether somebody of the group is told to stop.
bool stopped(const ProcessGroup& processes, const std::atomic<bool>& stop) {
  std::uint64_t told = stop ? 1 : 0;
  processes.all_reduce_sum({&told, 1});
  return told > 0;
}

/// Whether a frame of an earlier run need not be done again: its files must still be there.
bool stays_done(const FrameRecord& record, const kitti::Frame& frame, const SegmentPlan& plan,
                const fs::path& folder, Again again) {
  const bool bad = record.status == FrameStatus::failed || record.status == FrameStatus::incomplete;
  if (bad && again == Again::bad_frames) return false;
  return !lost_file(record, frame, plan, folder);
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
  return plan.track ? up_to_first_left(std::move(done), frames) : done;
}

std::vector<fs::path> lost_files(const std::vector<kitti::Frame>& frames, const SegmentPlan& plan,
                                 std::span<const FrameRecord> records, const fs::path& folder) {
  std::map<std::string, const kitti::Frame*> frame_of;
  for (const kitti::Frame& frame : frames) frame_of.emplace(frame.name(), &frame);
  std::vector<fs::path> lost;
  for (const FrameRecord& record : records) {
    const auto path = lost_file(record, *frame_of.at(record.name), plan, folder);
    if (path) lost.push_back(*path);
  }
  return lost;
}

std::vector<FrameRecord> segment_sequence(const std::vector<kitti::Frame>& frames,
                                          const SegmentPlan& plan, RunFolder* run, Again again,
                                          FrameScheduler& scheduler, const FrameDone& frame_done,
                                          const std::atomic<bool>& stop) {
  // Only the first process knows what has been done before; it tells the others.
  std::map<std::string, FrameRecord> records;
  std::string done_marks(frames.size(), '0');
  std::string folder;
  if (run != nullptr) {
    folder = std::filesystem::absolute(run->path()).string();
    const std::vector<bool> done = frames_done(frames, plan, *run, again);
    for (const FrameRecord& record : run->done()) records.emplace(record.name, record);
    for (std::size_t k = 0; k < frames.size(); ++k) {
      if (done[k]) {
        done_marks[k] = '1';
      } else {
        records.erase(frames[k].name());
      }
    }
  }
  done_marks = scheduler.all_processes().broadcast(done_marks);
  folder = scheduler.all_processes().broadcast(folder);
  std::vector<bool> is_done;
  for (const char mark : done_marks) is_done.push_back(mark == '1');
  const std::vector<FrameChain> chains = chains_of(frames, is_done, plan.track);

  const auto segment = [&](std::size_t number, const ProcessGroup& processes,
                           const KeepRecord& give) {
    const FrameChain& chain = chains[number];
    FrameTrack track(chain.spacing);
    for (const kitti::Frame* frame : chain.before) follow_frame(*frame, plan, processes, track);
    for (const kitti::Frame* frame : chain.to_do) {
      if (frame != chain.to_do.front() && stopped(processes, stop)) return;
      give(segment_frame(*frame, plan, folder, processes, plan.track ? &track : nullptr));
    }
  };
  const auto keep = [&](const FrameRecord& record) {
    run->append(record);
    records.emplace(record.name, record);
    frame_done(record);
  };
  scheduler.do_tasks(chains.size(), segment, keep, stop);

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
