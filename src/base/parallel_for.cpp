#include "roadplane/base/parallel_for.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace roadplane {

void parallel_for(int threads, std::size_t count, const std::function<void(std::size_t)>& job) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        job(i);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  };
  {
    std::vector<std::jthread> workers;
    for (std::size_t t = 1; t < std::min<std::size_t>(std::max(1, threads), count); ++t) {
      workers.emplace_back(work);
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace roadplane
