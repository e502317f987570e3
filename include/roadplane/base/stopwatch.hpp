#pragma once

#include <chrono>
#include <utility>

namespace roadplane {

/// The time since it was made, less the pauses.
class Stopwatch {
 public:
  double seconds() const { return elapsed_ + (running_ ? since_start() : 0); }
  double ms() const { return 1e3 * seconds(); }

  void pause() {
    elapsed_ += since_start();
    start_ = Clock::now();
    running_ = false;
  }
  /// Gives the length of the pause [s].
  double resume() {
    const double pause = since_start();
    start_ = Clock::now();
    running_ = true;
    return pause;
  }
  /// Begins anew and gives what it showed [ms].
  double lap_ms() {
    const double shown = ms();
    *this = Stopwatch();
    return shown;
  }

 private:
  using Clock = std::chrono::steady_clock;
  double since_start() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

  Clock::time_point start_ = Clock::now();
  double elapsed_ = 0;
  bool running_ = true;
};

}  // namespace roadplane
