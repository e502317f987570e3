#include "roadplane/mpi/mpi_queue.hpp"

#include <mpi.h>

#include "mpi_handle.hpp"

namespace roadplane {
namespace {

constexpr int kPostTag = 30'001;
constexpr std::uint64_t kBeyondAllTasks = std::uint64_t{1} << 48;

}  // namespace

struct MpiQueue::Window {
  MPI_Win win = MPI_WIN_NULL;
  std::string outgoing;  ///< under way to rank 0
  MPI_Request posting = MPI_REQUEST_NULL;
};

MpiQueue::MpiQueue(const MpiGroup& ranks) : ranks_(ranks), window_(std::make_unique<Window>()) {
  std::uint64_t* next = nullptr;
  const MPI_Aint bytes = ranks.rank() == 0 ? sizeof(std::uint64_t) : 0;
  MPI_Win_allocate(bytes, sizeof(std::uint64_t), MPI_INFO_NULL, ranks.handle().comm, &next,
                   &window_->win);
  MPI_Win_lock_all(0, window_->win);
  if (ranks.rank() == 0) *next = 0;
  MPI_Win_sync(window_->win);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(ranks.handle().comm, &request);  // nobody takes before the first number is there
  ranks.handle().wait(request, "all ranks at the start");
}

MpiQueue::~MpiQueue() {
  finish_posting();
  MPI_Win_unlock_all(window_->win);
  MPI_Win_free(&window_->win);
}

namespace {

/// The counter's value before `increment` is added. With a request rather than MPI_Fetch_and_op and
/// a flush, because a flush cannot be given up on.
std::uint64_t fetch_and_add(std::uint64_t increment, MPI_Win win, const MpiGroup::Handle& ranks) {
  std::uint64_t before = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Rget_accumulate(&increment, 1, MPI_UINT64_T, &before, 1, MPI_UINT64_T, 0, 0, 1, MPI_UINT64_T,
                      MPI_SUM, win, &request);
  ranks.wait(request, "the queue of frames on rank 0");
  return before;
}

}  // namespace

std::uint64_t MpiQueue::take() { return fetch_and_add(1, window_->win, ranks_.handle()); }

void MpiQueue::close() { fetch_and_add(kBeyondAllTasks, window_->win, ranks_.handle()); }

void MpiQueue::finish_posting() {
  if (window_->posting != MPI_REQUEST_NULL) {
    ranks_.handle().wait(std::span(&window_->posting, 1), "rank 0");
  }
}

void MpiQueue::post(const std::string& text) {
  finish_posting();
  window_->outgoing = text;
  MPI_Isend(window_->outgoing.data(), static_cast<int>(text.size()), MPI_CHAR, 0, kPostTag,
            ranks_.handle().comm, &window_->posting);
}

std::optional<std::string> MpiQueue::look() {
  int found = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  MPI_Improbe(MPI_ANY_SOURCE, kPostTag, ranks_.handle().comm, &found, &message, &status);
  if (found == 0) return std::nullopt;
  int length = 0;
  MPI_Get_count(&status, MPI_CHAR, &length);
  std::string text(length, '\0');
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Imrecv(text.data(), length, MPI_CHAR, &message, &request);
  ranks_.handle().wait(request, "a team");
  return text;
}

std::string MpiQueue::wait_for_post() {
  Patience patience(ranks_.handle().patience_s);
  for (;;) {
    if (auto text = look()) return *text;
    patience.spend("a team");
  }
}

}  // namespace roadplane
