#pragma once

#include <Eigen/Core>
#include <span>

#include "coarse_floor.hpp"
#include "own_frame.hpp"
#include "roadplane/dpcp/finding.hpp"
#include "roadplane/dpcp/robust_options.hpp"
#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/network/channel.hpp"
#include "roadplane/solver/ledger.hpp"

namespace roadplane {

/// What there is to say of the hosted agents' planes, nearly the same for all; clouds and planes
/// are in the frame `own`.
Finding inspect_plane(Channel& channel, std::span<const HomogeneousCloud> clouds,
                      std::span<const Eigen::Vector4d> planes, const RobustOptions& options,
                      const FloorSearch& start, const OwnFrame& own, Ledger& ledger);

/// What that takes, which budgets must leave.
Expense inspection_expense(const Channel& channel);

}  // namespace roadplane
