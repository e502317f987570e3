#pragma once

#include <optional>
#include <string>

namespace roadplane {

/// MPI, from the constructor to the destructor. There can be one in a process's life.
class MpiSession {
 public:
  /// The rank of a process that mpirun or srun has started, from its environment; nothing for any
  /// other process. MPI is not called.
  static std::optional<int> launched_rank();

  MpiSession();
  /// Waits for all ranks: after a failure, fail() instead.
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  /// For what the other ranks do not know of: says why, with this rank's number, and ends them all
  /// at once. The exit code is mpirun's, too.
  [[noreturn]] static void fail(const std::string& why, int code);
};

}  // namespace roadplane
