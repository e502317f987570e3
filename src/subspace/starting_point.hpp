#pragma once

#include <Eigen/Core>
#include <vector>

#include "roadplane/subspace/find_subspace.hpp"

namespace roadplane {

/// Where a solve begins and in which coordinates.
struct StartingPoint {
  Eigen::MatrixXd x;                    ///< n x p, the same for all agents
  std::vector<Eigen::MatrixXd> whiten;  ///< per hosted agent; empty if not asked for
  bool solved = false;  ///< p directions hold no point at all: nothing is left to solve
};

/// The second moment, where it is needed, is agreed on by gossip; agent 0's view of its
/// eigenvectors is everybody's start.
StartingPoint agree_on_start(Channel& channel, const SharedPoints& points,
                             const SubspaceOptions& options, Ledger& ledger);

/// The matrix with orthonormal columns that is nearest.
Eigen::MatrixXd orthonormal(Eigen::MatrixXd x);

}  // namespace roadplane
