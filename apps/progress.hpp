#pragma once

#include <chrono>
#include <cstddef>

#include "roadplane/results/frame_record.hpp"

namespace roadplane::app {

/// Tells how a sequence is getting on: a bar on a terminal, a line a frame elsewhere.
class Progress {
 public:
  enum class Detail { quiet, normal, verbose };

  Progress(std::size_t frames, std::size_t done, Detail detail);
  /// After a frame.
  void operator()(const FrameRecord& record);
  /// Clears the bar.
  void finish() const;
  /// Frames a second since the start; 0 before the first one.
  double rate() const;

 private:
  void draw_bar() const;

  std::size_t frames_;
  std::size_t done_;
  std::size_t done_before_;
  Detail detail_;
  bool terminal_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace roadplane::app
