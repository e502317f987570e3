#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "roadplane/dpcp/road_prior.hpp"
#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/kernels/support_kernel.hpp"
#include "roadplane/network/channel.hpp"
#include "roadplane/solver/ledger.hpp"

namespace roadplane {

/// Planes that the agents propose from their own points, the same list for every agent.
struct Hypotheses {
  std::vector<Eigen::Vector4d> planes;  ///< unit, the sensor on the positive side
  std::vector<double> support;          ///< of each, per point of all agents; roughly agreed
  /// Of these planes the one that is believed most, where shards are narrow also the next that
  /// differ from it; agreed by all, empty if nobody could propose a plane.
  std::vector<std::size_t> leading;
  double largest_shard = 0;        ///< points, the same for every agent,
  std::int64_t largest_cloud = 0;  ///< and columns
  /// The largest support of a plane that is clearly another one than w.
  double rival_support(const Eigen::Vector4d& w) const;
};

/// How a plane is weighed: by a window of this scale, and points below it count against it.
constexpr double kSupportScale = 0.016;  ///< [rad]
constexpr double kSupportBlame = 0.5;    ///< points on the plane that a point below outweighs
constexpr SupportRule kSupportRule{.scale = kSupportScale, .blame = kSupportBlame};

/// What the support (of so many points) of a plane is worth: one that the prior does not admit
/// needs much more than one that it does.
double believed(const Eigen::Vector4d& w, double support, double points, const RoadTest& road);

/// The agents draw planes through three of their own points and propose those that speak best
/// for a sample of them; all proposals reach everybody by flooding, and all agents weigh them on a
/// sample of their points, by gossip.
Hypotheses propose_planes(Channel& channel, std::span<const HomogeneousCloud> clouds,
                          const RoadPrior& prior, std::uint64_t seed, Ledger& ledger);

}  // namespace roadplane
