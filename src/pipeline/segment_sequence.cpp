#include "roadplane/pipeline/segment_sequence.hpp"

#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "roadplane/pipeline/segment_frame.hpp"

namespace roadplane {

std::vector<FrameRecord> segment_sequence(const std::vector<kitti::Frame>& frames,
                                          const SegmentPlan& plan, RunFolder& run, int jobs,
                                          const FrameDone& frame_done,
                                          const std::atomic<bool>& stop) {
  std::map<std::string, FrameRecord> records;
  for (const FrameRecord& record : run.done()) records.emplace(record.name, record);
  std::vector<const kitti::Frame*> to_do;
  for (const kitti::Frame& frame : frames) {
    if (!records.contains(frame.name())) to_do.push_back(&frame);
  }

  std::atomic<std::size_t> next{0};
  std::mutex mutex;  // of records, run, frame_done and failure
  std::exception_ptr failure;
  const auto work = [&] {
    while (!stop) {
      const std::size_t k = next++;
      if (k >= to_do.size()) return;
      const FrameRecord record = segment_frame(*to_do[k], plan, run.path());  // does not throw
      const std::lock_guard lock(mutex);
      if (failure) return;
      try {
        run.append(record);
        records.emplace(record.name, record);
        frame_done(record);
      } catch (...) {  // the run folder cannot be written: no use going on
        failure = std::current_exception();
        return;
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int k = 1; k < jobs; ++k) threads.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);

  std::vector<FrameRecord> ordered;
  for (const kitti::Frame& frame : frames) {
    if (const auto found = records.find(frame.name()); found != records.end()) {
      ordered.push_back(found->second);
    }
  }
  return ordered;
}

}  // namespace roadplane
