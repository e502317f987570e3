#pragma once

#include <cstdint>
#include <span>

#include "coordinates.hpp"
#include "hypotheses.hpp"
#include "roadplane/dpcp/finding.hpp"
#include "roadplane/dpcp/robust_options.hpp"

namespace roadplane {

/// The agents look at the plane that they have found: each sums over a sample of its points, the
/// sums are averaged by gossip, and agent 0 says what follows from its view.
Finding inspect_plane(Channel& channel, std::span<const HomogeneousCloud> clouds,
                      std::span<const Eigen::Vector4d> planes, const RobustOptions& options,
                      const Hypotheses& hypotheses, double spread, Ledger& ledger);

/// What this takes.
Expense inspection_expense(const Channel& channel);

}  // namespace roadplane
