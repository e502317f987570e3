#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "roadplane/network/gossip.hpp"

namespace roadplane {

/// Gossip promises what is left of the agents' squared disagreements together, and all of it may be
/// one agent's: the more there are, the less may be left. Tolerances are what 16 agents need.
inline double tolerance_of_sums(const Network& network, double tolerance) {
  constexpr double kAgents = 16;
  return tolerance * std::min(1.0, std::sqrt(kAgents / network.agents()));
}

/// Sums over the points of each hosted agent, at most about 1 for a point, become their means over
/// all agents, to `tolerance` relative to their disagreement. They travel in half precision, in
/// units of the largest shard.
inline void average_sums(Channel& channel, std::span<double> rows, int width, double tolerance,
                         double largest_shard) {
  constexpr double kMost = 1024;  // far from the largest half, and small sums far from the smallest
  const double unit = largest_shard / kMost;
  for (double& number : rows) number /= unit;
  gossip_average(channel, rows, width, tolerance_of_sums(channel.network(), tolerance),
                 {.chebyshev = true, .wire = Wire::half});
  for (double& number : rows) number *= unit;
}

}  // namespace roadplane
