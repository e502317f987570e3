#include "roadplane/mpi/mpi_group.hpp"

#include <mpi.h>
#include <sched.h>

#include <chrono>
#include <cmath>
#include <string>
#include <thread>

#include "mpi_handle.hpp"
#include "roadplane/mpi/mpi_session.hpp"

namespace roadplane {
MpiGroup::Handle::~Handle() {
  if (owned) MPI_Comm_free(&comm);
}

void MpiGroup::Handle::wait(std::span<MPI_Request> requests, const char* whom) const {
  constexpr int kPolls = 64;  // Open MPI gives way by itself where it knows of too few cores
  Patience patience(patience_s);
  for (int polls = 1;; ++polls) {
    int done = 0;
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    if (done != 0) return;
    if (polls % kPolls == 0) patience.spend(whom);
  }
}

void Patience::spend(const char* whom) {
  constexpr double kBusy = 1e-3;  // [s] the length of a solve; beyond it there is time to sleep
  const double waited = MPI_Wtime() - begin_;
  if (waited < kBusy) {
    sched_yield();  // there may be more ranks than cores
  } else if (waited < seconds_) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  } else {
    constexpr int kExitCode = 2;
    const std::string seconds = std::to_string(std::lround(seconds_));
    MpiSession::fail(std::string("no word from ") + whom + " for " + seconds + " s, giving up",
                     kExitCode);
  }
}

MpiGroup::MpiGroup(double patience_s)
    : handle_(std::make_shared<Handle>(MPI_COMM_WORLD, false, patience_s)) {}

MpiGroup MpiGroup::split(int number) const {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(handle_->comm, number, rank(), &part);
  return MpiGroup(std::make_shared<Handle>(part, true, handle_->patience_s));
}

int MpiGroup::rank() const {
  int rank = 0;
  MPI_Comm_rank(handle_->comm, &rank);
  return rank;
}

int MpiGroup::size() const {
  int size = 1;
  MPI_Comm_size(handle_->comm, &size);
  return size;
}

int MpiGroup::world_rank(int rank) const {
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

}  // namespace roadplane
