#include "roadplane/mpi/mailbox.hpp"

#include <mpi.h>

#include "handle.hpp"

namespace roadplane {
namespace {

constexpr int kPostTag = 30'001;  // neither the channel's nor the process group's
constexpr const char* kSender = "the ranks of another frame";

}  // namespace

struct Mailbox::Outgoing {
  std::string text;  ///< under way to rank 0
  MPI_Request request = MPI_REQUEST_NULL;
};

Mailbox::Mailbox(const Communicator& ranks)
    : ranks_(ranks), outgoing_(std::make_unique<Outgoing>()) {}

Mailbox::~Mailbox() { finish_posting(); }

void Mailbox::finish_posting() {
  if (outgoing_->request == MPI_REQUEST_NULL) return;
  roadplane::wait(ranks_, std::span(&outgoing_->request, 1), "rank 0");
}

void Mailbox::post(const std::string& text) {
  finish_posting();
  outgoing_->text = text;
  MPI_Isend(outgoing_->text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, kPostTag,
            ranks_.handle().comm, &outgoing_->request);
}

std::optional<std::string> Mailbox::look() {
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
  roadplane::wait(ranks_, request, kSender);
  return text;
}

std::string Mailbox::wait() {
  std::optional<std::string> text;
  const auto arrived = [&] {
    text = look();
    return text.has_value();
  };
  ranks_.wait_until(arrived, kSender);
  return *text;
}

}  // namespace roadplane
