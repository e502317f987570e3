#pragma once

#include <mpi.h>

#include <span>

#include "roadplane/mpi/mpi_group.hpp"

namespace roadplane {

struct MpiGroup::Handle {
  MPI_Comm comm;
  bool owned;  ///< to be freed; MPI_COMM_WORLD is not
  double patience_s;

  Handle(MPI_Comm c, bool own, double patience) : comm(c), owned(own), patience_s(patience) {}
  ~Handle();
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  /// Waits for all of the requests. Ends the job if they take longer than the group's patience;
  /// `whom` completes the message "no word from ...".
  void wait(std::span<MPI_Request> requests, const char* whom) const;
  void wait(MPI_Request request, const char* whom) const { wait(std::span(&request, 1), whom); }
};

/// A wait that is getting long: first gives way to other ranks on the same core, then sleeps; ends
/// the job when patience is over.
class Patience {
 public:
  explicit Patience(double seconds) : seconds_(seconds), begin_(MPI_Wtime()) {}
  void spend(const char* whom);

 private:
  double seconds_;
  double begin_;
};

}  // namespace roadplane
