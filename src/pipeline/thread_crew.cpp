#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "roadplane/pipeline/crew.hpp"

namespace roadplane {

void ThreadCrew::work(std::size_t count, const FrameTask& task, const KeepRecord& keep,
                      const std::atomic<bool>& stop) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;  // of keep and failure
  std::exception_ptr failure;
  const auto loop = [&] {
    while (!stop) {
      const std::size_t number = next++;
      if (number >= count) return;
      const FrameRecord record = task(number, alone_);  // does not throw
      const std::lock_guard lock(mutex);
      if (failure) return;
      try {
        keep(record);
      } catch (...) {  // the run folder cannot be written: no use going on
        failure = std::current_exception();
        return;
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int k = 1; k < threads_; ++k) threads.emplace_back(loop);
    loop();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace roadplane
