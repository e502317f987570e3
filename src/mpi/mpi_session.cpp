#include "roadplane/mpi/mpi_session.hpp"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace roadplane {

std::optional<int> MpiSession::launched_rank() {
  // Open MPI's own, then PMIx and PMI-1/2, as srun and other launchers speak them. SLURM_PROCID
  // alone is no sign: a batch script and everything in it has it, too.
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    if (const char* rank = std::getenv(name)) return std::atoi(rank);
  }
  return std::nullopt;
}

MpiSession::MpiSession() {
  // The queue's counter is one-sided, which over TCP only "pt2pt" can do; Debian's configuration
  // switches that off, and with it every window between hosts. What the user has set stays.
  setenv("OMPI_MCA_osc", "^ucx", 0);
  int provided = 0;  // this process may have threads, but one of them talks to MPI
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
}

MpiSession::~MpiSession() { MPI_Finalize(); }

void MpiSession::fail(const std::string& why, int code) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::fflush(stdout);
  std::fprintf(stderr, "roadplane: rank %d: %s\n", rank, why.c_str());
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

}  // namespace roadplane
