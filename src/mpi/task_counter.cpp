#include "roadplane/mpi/task_counter.hpp"

#include <mpi.h>

#include "handle.hpp"
#include "watchdog.hpp"

namespace roadplane {

struct TaskCounter::Window {
  MPI_Win win = MPI_WIN_NULL;
};

TaskCounter::TaskCounter(const Communicator& ranks)
    : ranks_(ranks), window_(std::make_unique<Window>()) {
  MPI_Comm comm = ranks.handle().comm;
  std::uint64_t* next = nullptr;
  const MPI_Aint bytes = ranks.rank() == 0 ? sizeof(std::uint64_t) : 0;
  const Watchdog watchdog(ranks.handle().patience_s, ranks.handle().failure,
                          "the start of the counter of tasks");
  MPI_Win_allocate(bytes, sizeof(std::uint64_t), MPI_INFO_NULL, comm, &next, &window_->win);
  MPI_Win_lock_all(0, window_->win);
  if (ranks.rank() == 0) *next = 0;
  MPI_Win_sync(window_->win);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(comm, &request);  // nobody takes before the first number is there
  wait(ranks, request, "all ranks at the start");
}

TaskCounter::~TaskCounter() {
  const Watchdog watchdog(ranks_.handle().patience_s, ranks_.handle().failure,
                          "the end of the counter of tasks");
  MPI_Win_unlock_all(window_->win);
  MPI_Win_free(&window_->win);
}

/// The counter's value before `increment` is added. With a request rather than MPI_Fetch_and_op and
/// a flush, because a flush cannot be given up on.
std::uint64_t TaskCounter::fetch_and_add(std::uint64_t increment) {
  std::uint64_t before = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Rget_accumulate(&increment, 1, MPI_UINT64_T, &before, 1, MPI_UINT64_T, 0, 0, 1, MPI_UINT64_T,
                      MPI_SUM, window_->win, &request);
  wait(ranks_, request, "the counter of tasks on rank 0");
  return before;
}

std::uint64_t TaskCounter::take() { return fetch_and_add(1); }

void TaskCounter::close() {
  constexpr std::uint64_t kBeyondAllTasks = std::uint64_t{1} << 48;
  fetch_and_add(kBeyondAllTasks);
}

}  // namespace roadplane
