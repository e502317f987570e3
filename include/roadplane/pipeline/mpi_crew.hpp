#pragma once

#include "roadplane/mpi/mpi_team.hpp"
#include "roadplane/pipeline/crew.hpp"

namespace roadplane {

class MpiQueue;

/// The ranks of an MPI job, in teams of consecutive ranks that share the agents of a frame.
class MpiCrew final : public Crew {
 public:
  /// MPI must have been started (MpiSession). `ranks_per_frame` 0 is as many ranks as there are
  /// agents, or all ranks if they are fewer; where the ranks do not divide evenly, the last team is
  /// smaller. Throws InputError naming the option.
  MpiCrew(int agents, int ranks_per_frame, double patience_s);

  void work(std::size_t count, const FrameTask& task, const KeepRecord& keep,
            const std::atomic<bool>& stop) override;
  const Team& everybody() const override { return everybody_; }
  int teams() const { return teams_; }

 private:
  void work_from(MpiQueue& queue, std::size_t count, const FrameTask& task, const KeepRecord& keep,
                 const std::atomic<bool>& stop);

  MpiTeam everybody_;
  int ranks_per_frame_;
  int teams_;
  MpiTeam team_;  ///< this rank's
};

}  // namespace roadplane
