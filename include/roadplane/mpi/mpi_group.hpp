#pragma once

#include <memory>

namespace roadplane {

/// Some of the ranks of an MPI job, numbered from 0. MPI must have been started, and a group must
/// not outlive it.
class MpiGroup {
 public:
  /// All ranks. `patience_s`: how long to wait for word from another rank before the whole job is
  /// ended with a message.
  explicit MpiGroup(double patience_s = 60);

  /// The ranks of this group that give the same number; all of them must call it.
  MpiGroup split(int number) const;

  int rank() const;
  int size() const;
  int world_rank(int rank) const;  ///< of a member, among all ranks of the job

  struct Handle;  ///< MPI's own, for the sources of network/mpi_*
  const Handle& handle() const { return *handle_; }

 private:
  explicit MpiGroup(std::shared_ptr<const Handle> handle) : handle_(std::move(handle)) {}

  std::shared_ptr<const Handle> handle_;
};

}  // namespace roadplane
