#pragma once

#include <memory>
#include <optional>
#include <string>

#include "roadplane/mpi/communicator.hpp"

namespace roadplane {

/// Texts for rank 0, in the order in which a rank has posted them.
class Mailbox {
 public:
  explicit Mailbox(const Communicator& ranks);
  ~Mailbox();  ///< waits until rank 0 has taken what this rank has posted
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  void post(const std::string& text);  ///< does not wait for rank 0 to look
  std::optional<std::string> look();   ///< rank 0: a text that somebody has posted, if there is one
  std::string wait();                  ///< rank 0: the next one, within the ranks' patience

 private:
  void finish_posting();

  struct Outgoing;
  Communicator ranks_;
  std::unique_ptr<Outgoing> outgoing_;
};

}  // namespace roadplane
