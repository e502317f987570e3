#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "roadplane/mpi/process_group.hpp"
#include "roadplane/results/frame_record.hpp"

namespace roadplane {

/// Called with each record, one at a time.
using KeepRecord = std::function<void(const FrameRecord&)>;
/// Does one of a list of tasks, a frame or several that follow each other, and gives the record of
/// each. All processes that share the task do it, the leader's records count.
using FrameTask =
    std::function<void(std::size_t number, const ProcessGroup& processes, const KeepRecord& give)>;

/// Who does which frames of a sequence, and when: whoever is free takes the next ones.
class FrameScheduler {
 public:
  virtual ~FrameScheduler() = default;

  /// Does tasks 0 .. count - 1; all processes call it. The records reach `keep` in the first
  /// process only. A true `stop` ends the work after the tasks under way.
  virtual void do_tasks(std::size_t count, const FrameTask& task, const KeepRecord& keep,
                        const std::atomic<bool>& stop) = 0;

  /// The first one leads: it prints and writes for all.
  virtual const ProcessGroup& all_processes() const = 0;
};

/// Threads of one process, each of which does whole tasks.
class ThreadScheduler final : public FrameScheduler {
 public:
  explicit ThreadScheduler(int threads) : threads_(threads) {}
  void do_tasks(std::size_t count, const FrameTask& task, const KeepRecord& keep,
                const std::atomic<bool>& stop) override;
  const ProcessGroup& all_processes() const override { return process_; }

 private:
  int threads_;
  SingleProcess process_;
};

}  // namespace roadplane
