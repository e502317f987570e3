#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "roadplane/mpi/process_group.hpp"
#include "roadplane/results/frame_record.hpp"

namespace roadplane {

/// Does one of a list of frames and gives its record. All processes that share the frame do it, the
/// leader's record counts.
using FrameTask = std::function<FrameRecord(std::size_t number, const ProcessGroup& processes)>;
/// Called with each record, one at a time.
using KeepRecord = std::function<void(const FrameRecord&)>;

/// Who does which frame of a sequence, and when: whoever is free takes the next one.
class FrameScheduler {
 public:
  virtual ~FrameScheduler() = default;

  /// Does frames 0 .. count - 1; all processes call it. The records reach `keep` in the first
  /// process only. A true `stop` ends the work after the frames under way.
  virtual void do_frames(std::size_t count, const FrameTask& task, const KeepRecord& keep,
                         const std::atomic<bool>& stop) = 0;

  /// The first one leads: it prints and writes for all.
  virtual const ProcessGroup& all_processes() const = 0;
};

/// Threads of one process, each of which does whole frames.
class ThreadScheduler final : public FrameScheduler {
 public:
  explicit ThreadScheduler(int threads) : threads_(threads) {}
  void do_frames(std::size_t count, const FrameTask& task, const KeepRecord& keep,
                 const std::atomic<bool>& stop) override;
  const ProcessGroup& all_processes() const override { return process_; }

 private:
  int threads_;
  SingleProcess process_;
};

}  // namespace roadplane
