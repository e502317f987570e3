#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/network/channel.hpp"
#include "roadplane/objective/window.hpp"
#include "roadplane/solver/ledger.hpp"

namespace roadplane {

/// A hyperplane on its way, each hosted agent with its own, nearly equal version.
using AgentPlanes = std::vector<Eigen::Vector4d>;

/// Reweighted least squares by gossip on a sample of the points: the agents average the weighted
/// second moments that they see at their hyperplanes, and each takes the direction in which the
/// average has least. Rough: it leads to where a solver begins.
class Reweighing {
 public:
  Reweighing(Channel& channel, std::span<const HomogeneousCloud> clouds, Ledger& ledger)
      : channel_(channel), clouds_(clouds), ledger_(ledger) {}

  /// So many steps of several hyperplanes at once; their moments share the messages.
  void steps(int count, std::span<AgentPlanes*> planes, const Window& window) const;
  void steps(int count, AgentPlanes& planes, const Window& window) const;

  /// Support of two hyperplanes, as each hosted agent sees the whole.
  struct Support {
    double first = 0;
    double second = 0;
  };
  std::vector<Support> support(const AgentPlanes& first, const AgentPlanes& second,
                               const Window& window) const;

  /// The mean over all points of weight b b', as each hosted agent sees it.
  struct Moments {
    Eigen::Matrix4d weighted;
    double points;  ///< of an average agent
  };
  std::vector<Moments> moments(const AgentPlanes& planes, const Window& window) const;

 private:
  CloudSums sums_of(std::size_t i) const;
  void average(std::vector<double>& rows, int width, double tolerance) const;

  Channel& channel_;
  std::span<const HomogeneousCloud> clouds_;
  Ledger& ledger_;
};

}  // namespace roadplane
