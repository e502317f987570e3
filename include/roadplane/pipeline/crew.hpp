#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "roadplane/mpi/team.hpp"
#include "roadplane/results/frame_record.hpp"

namespace roadplane {

/// Does one of a list of frames with a team and gives its record; all members of the team do it,
/// the leader's record counts.
using FrameTask = std::function<FrameRecord(std::size_t number, const Team& team)>;
/// Called with each record, one at a time.
using KeepRecord = std::function<void(const FrameRecord&)>;

/// All that work on a sequence, in teams that take one frame after the other from one queue.
class Crew {
 public:
  virtual ~Crew() = default;

  /// Does frames 0 .. count - 1. The records reach `keep` in the first process only. A true `stop`
  /// ends the work after the frames under way.
  virtual void work(std::size_t count, const FrameTask& task, const KeepRecord& keep,
                    const std::atomic<bool>& stop) = 0;

  /// All processes; the first one leads. It prints and writes for all.
  virtual const Team& everybody() const = 0;
};

/// Threads of one process, each of which does whole frames.
class ThreadCrew final : public Crew {
 public:
  explicit ThreadCrew(int threads) : threads_(threads) {}
  void work(std::size_t count, const FrameTask& task, const KeepRecord& keep,
            const std::atomic<bool>& stop) override;
  const Team& everybody() const override { return alone_; }

 private:
  int threads_;
  Alone alone_;
};

}  // namespace roadplane
