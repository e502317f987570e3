#include "watchdog.hpp"

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace roadplane {

Watchdog::Watchdog(double patience_s, const JobFailure& failure, const char* what)
    : thread_([=](const std::stop_token& stop) {
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any never;
        never.wait_for(lock, stop, std::chrono::duration<double>(patience_s), [] { return false; });
        if (stop.stop_requested()) return;
        std::fprintf(stderr, "%s%s took more than %ld s, giving up\n", failure.prefix.c_str(), what,
                     std::lround(patience_s));
        std::_Exit(failure.exit_code);
      }) {}

}  // namespace roadplane
