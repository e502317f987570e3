#pragma once

#include <cstdint>
#include <memory>

#include "roadplane/mpi/communicator.hpp"

namespace roadplane {

/// Tasks 0, 1, 2, ... for whoever comes next. The next number lies in rank 0's memory; others add
/// to it (one-sided), so that nobody hands out work.
class TaskCounter {
 public:
  /// All ranks make one, and destroy it, together.
  explicit TaskCounter(const Communicator& ranks);
  ~TaskCounter();
  TaskCounter(const TaskCounter&) = delete;
  TaskCounter& operator=(const TaskCounter&) = delete;

  std::uint64_t take();  ///< the number of a task that nobody else gets
  void close();          ///< from now on take() gives numbers beyond all tasks

 private:
  std::uint64_t fetch_and_add(std::uint64_t increment);

  struct Window;
  Communicator ranks_;
  std::unique_ptr<Window> window_;
};

}  // namespace roadplane
