#pragma once

#include <thread>

#include "roadplane/mpi/communicator.hpp"

namespace roadplane {

/// Ends the process if it lives longer than that: some of MPI's calls wait for all ranks and cannot
/// be given up on. The launcher then ends the others. `what` completes the message "... took more
/// than 60 s".
class Watchdog {
 public:
  Watchdog(double patience_s, const JobFailure& failure, const char* what);

 private:
  std::jthread thread_;
};

}  // namespace roadplane
