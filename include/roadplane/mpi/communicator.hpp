#pragma once

#include <functional>
#include <memory>
#include <string>

namespace roadplane {

/// Whether mpirun or srun may have started this process: their words are in the environment, where
/// whatever a rank starts finds them, too. Who one is, Communicator::start() alone says. MPI is not
/// called.
bool launcher_in_environment();

/// What becomes of a job whose ranks cannot go on together.
struct JobFailure {
  std::string prefix;  ///< of the line that says why, before "rank 3: ..."
  int exit_code = 1;   ///< of all ranks, and of mpirun
};

/// Some of the ranks of an MPI job, numbered from 0. MPI runs from the first communicator on until
/// the last copy and part of it is gone: nothing can outlive it.
class Communicator {
 public:
  /// Starts MPI; all ranks of the job, this process alone if no launcher knows it. Once in a
  /// process's life. `patience_s`: how long to wait for
  /// word from another rank before the whole job is ended.
  static Communicator start(double patience_s = 60, const JobFailure& failure = {});

  /// The ranks of this one that give the same number; all of them must call it.
  Communicator split(int number) const;

  int rank() const;
  int size() const;
  int world_rank(int rank) const;  ///< of a member, among all ranks of the job

  /// Polls until `done`, giving way to other ranks on the same core at first and sleeping later.
  /// Ends the job when patience is over; `whom` completes the message "no word from ...".
  void wait_until(const std::function<bool()>& done, const char* whom) const;

  /// For what the other ranks do not know of: says why, with this rank's number, and ends them all
  /// at once. To end in order would be to wait for them.
  [[noreturn]] void fail(const std::string& why) const;

  struct Handle;  ///< MPI's own, for the sources of this module
  const Handle& handle() const { return *handle_; }

 private:
  explicit Communicator(std::shared_ptr<const Handle> handle) : handle_(std::move(handle)) {}

  std::shared_ptr<const Handle> handle_;
};

}  // namespace roadplane
