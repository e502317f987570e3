#pragma once

#include <mpi.h>

#include <memory>
#include <span>
#include <utility>

#include "roadplane/mpi/communicator.hpp"

namespace roadplane {

struct Communicator::Handle {
  MPI_Comm comm;
  double patience_s;
  JobFailure failure;
  std::shared_ptr<const Handle> whole;  ///< what this is a part of; nothing for all ranks

  Handle(MPI_Comm own, double patience, JobFailure end, std::shared_ptr<const Handle> parent)
      : comm(own), patience_s(patience), failure(std::move(end)), whole(std::move(parent)) {}
  ~Handle();
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
};

/// Until all of the requests are done, within the communicator's patience.
void wait(const Communicator& ranks, std::span<MPI_Request> requests, const char* whom);

inline void wait(const Communicator& ranks, MPI_Request request, const char* whom) {
  wait(ranks, std::span(&request, 1), whom);
}

}  // namespace roadplane
