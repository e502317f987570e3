#pragma once

#include "roadplane/mpi/mpi_process_group.hpp"
#include "roadplane/pipeline/frame_scheduler.hpp"

namespace roadplane {

class Mailbox;
class TaskCounter;

/// The ranks of an MPI job in groups of consecutive ranks. A group shares the agents of a frame;
/// all groups take their tasks from one counter.
class MpiScheduler final : public FrameScheduler {
 public:
  /// `ranks_per_frame` is at least 1; where the ranks do not divide evenly, the last group is
  /// smaller.
  MpiScheduler(const Communicator& all_ranks, int ranks_per_frame);

  void do_tasks(std::size_t count, const FrameTask& task, const KeepRecord& keep,
                const std::atomic<bool>& stop) override;
  const ProcessGroup& all_processes() const override { return all_; }

 private:
  /// Takes and does tasks until there are none, and gives each record to `give`.
  void take_tasks(TaskCounter& tasks, std::size_t count, const FrameTask& task,
                  const KeepRecord& give, const std::atomic<bool>& stop) const;
  /// The first rank: keeps its own records and those that the other groups post.
  void lead(TaskCounter& tasks, Mailbox& records, std::size_t count, const FrameTask& task,
            const KeepRecord& keep, const std::atomic<bool>& stop) const;

  MpiProcessGroup all_;
  MpiProcessGroup same_frame_;  ///< the ranks that share a frame with this one
  int groups_;
};

}  // namespace roadplane
