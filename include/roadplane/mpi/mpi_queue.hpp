#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "roadplane/mpi/mpi_group.hpp"

namespace roadplane {

/// Tasks 0, 1, 2, ... for whoever comes next, and what came of them as texts for rank 0. The next
/// number lies in rank 0's memory; others add to it (one-sided), so that nobody hands out work.
class MpiQueue {
 public:
  /// All ranks of the group make one, and destroy it, together.
  explicit MpiQueue(const MpiGroup& ranks);
  ~MpiQueue();
  MpiQueue(const MpiQueue&) = delete;
  MpiQueue& operator=(const MpiQueue&) = delete;

  std::uint64_t take();  ///< the number of a task that nobody else gets
  void close();          ///< from now on take() gives numbers beyond all tasks

  void post(const std::string& text);  ///< to rank 0; does not wait for it to look
  /// Rank 0: a text that somebody has posted, if there is one.
  std::optional<std::string> look();
  std::string wait_for_post();  ///< rank 0: the next one, within the group's patience

 private:
  void finish_posting();

  struct Window;
  MpiGroup ranks_;
  std::unique_ptr<Window> window_;
};

}  // namespace roadplane
