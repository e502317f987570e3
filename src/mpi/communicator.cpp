#include "roadplane/mpi/communicator.hpp"

#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "handle.hpp"
#include "watchdog.hpp"

namespace roadplane {

bool launcher_in_environment() {
  // A program that has started MPI leaves this to those that it starts: its place is taken, and MPI
  // would end who claims it again.
  const char* starter = std::getenv("OMPI_MCA_ess");
  if (starter != nullptr && std::string_view(starter) == "pmi") return false;
  // Open MPI's own, then PMIx and PMI-1/2, as srun and other launchers speak them. SLURM_PROCID
  // alone is no sign: a batch script and everything in it has it, too.
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

namespace {

/// Puts SIGINT and SIGTERM off for as long as it lives. A rank that ends while it finds its mpirun
/// may leave that waiting for ever, with all ranks gone (Open MPI 4.1.4: in 2 of 100 tries).
class SignalsPutOff {
 public:
  SignalsPutOff() {
    sigset_t ends;
    sigemptyset(&ends);
    for (const int number : {SIGINT, SIGTERM}) sigaddset(&ends, number);
    pthread_sigmask(SIG_BLOCK, &ends, &before_);
  }
  ~SignalsPutOff() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsPutOff(const SignalsPutOff&) = delete;
  SignalsPutOff& operator=(const SignalsPutOff&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

Communicator::Handle::~Handle() {
  if (whole) {
    MPI_Comm_free(&comm);
  } else {
    MPI_Finalize();
  }
}

Communicator Communicator::start(double patience_s, const JobFailure& failure) {
  // The counter of tasks is one-sided, which over TCP only "pt2pt" can do; Debian's configuration
  // switches that off, and with it every window between hosts. What the user has set stays.
  setenv("OMPI_MCA_osc", "^ucx", 0);
  const SignalsPutOff signals;  // for the threads that are begun here, too
  const Watchdog watchdog(patience_s, failure, "the start of MPI");
  int provided = 0;  // this process may have threads, but one of them talks to MPI
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  return Communicator(std::make_shared<Handle>(MPI_COMM_WORLD, patience_s, failure, nullptr));
}

Communicator Communicator::split(int number) const {
  const Watchdog watchdog(handle_->patience_s, handle_->failure, "the division of the ranks");
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(handle_->comm, number, rank(), &part);
  return Communicator(
      std::make_shared<Handle>(part, handle_->patience_s, handle_->failure, handle_));
}

int Communicator::rank() const {
  int rank = 0;
  MPI_Comm_rank(handle_->comm, &rank);
  return rank;
}

int Communicator::size() const {
  int size = 1;
  MPI_Comm_size(handle_->comm, &size);
  return size;
}

int Communicator::world_rank(int rank) const {
  MPI_Group own = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Comm_group(handle_->comm, &own);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int translated = 0;
  MPI_Group_translate_ranks(own, 1, &rank, world, &translated);
  MPI_Group_free(&own);
  MPI_Group_free(&world);
  return translated;
}

void Communicator::wait_until(const std::function<bool()>& done, const char* whom) const {
  constexpr int kPolls = 64;      // Open MPI gives way by itself where it knows of too few cores
  constexpr double kBusy = 1e-3;  // [s] the length of a solve; beyond it there is time to sleep
  const double begin = MPI_Wtime();
  for (int polls = 1; !done(); ++polls) {
    if (polls % kPolls != 0) continue;
    const double waited = MPI_Wtime() - begin;
    if (waited < kBusy) {
      sched_yield();  // there may be more ranks than cores
    } else if (waited < handle_->patience_s) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    } else {
      const std::string seconds = std::to_string(std::lround(handle_->patience_s));
      fail(std::string("no word from ") + whom + " for " + seconds + " s, giving up");
    }
  }
}

void Communicator::fail(const std::string& why) const {
  const auto& [prefix, exit_code] = handle_->failure;
  std::fflush(stdout);
  std::fprintf(stderr, "%srank %d: %s\n", prefix.c_str(), world_rank(rank()), why.c_str());
  std::fflush(stderr);
  constexpr double kEnding = 10;  // [s] it tells the launcher, who may be gone
  const Watchdog watchdog(kEnding, handle_->failure, "the end of the job");
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

void wait(const Communicator& ranks, std::span<MPI_Request> requests, const char* whom) {
  const auto done = [requests] {
    int all = 0;
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &all, MPI_STATUSES_IGNORE);
    return all != 0;
  };
  ranks.wait_until(done, whom);
}

}  // namespace roadplane
