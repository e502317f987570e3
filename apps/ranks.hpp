#pragma once

#include <optional>
#include <string>

#include "roadplane/mpi/communicator.hpp"

namespace roadplane::app {

/// The processes that mpirun or srun has started together, as MPI knows them.
class Ranks {
 public:
  /// All of them; null for a process that is alone. MPI is started at the first call, and only if a
  /// launcher's words are in the environment or `wanted` says so.
  const Communicator* ask(double patience_s = 600, bool wanted = false);

  /// Whether this process is the first one, which says what all of them know. The others end well
  /// then: a bad exit code would make mpirun end the first one before it has spoken.
  bool speaks();
  int size();

  /// What follows is one process's work: nobody waits for it, and MPI ends.
  void part();

  /// "rank 3: " for one of several that have found each other.
  std::string who() const;

 private:
  std::optional<Communicator> all_;
  int rank_ = 0;
  int size_ = 1;
  bool asked_ = false;
};

}  // namespace roadplane::app
