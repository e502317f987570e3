#include <mutex>

#include "roadplane/base/parallel_for.hpp"
#include "roadplane/pipeline/frame_scheduler.hpp"

namespace roadplane {

void ThreadScheduler::do_tasks(std::size_t count, const FrameTask& task, const KeepRecord& keep,
                               const std::atomic<bool>& stop) {
  std::mutex mutex;
  bool can_keep = true;
  parallel_for(threads_, count, [&](std::size_t number) {
    if (stop) return;
    task(number, process_, [&](const FrameRecord& record) {
      const std::lock_guard lock(mutex);
      if (!can_keep) return;
      can_keep = false;  // if the run folder cannot be written, frames under way must not try again
      keep(record);
      can_keep = true;
    });
  });
}

}  // namespace roadplane
