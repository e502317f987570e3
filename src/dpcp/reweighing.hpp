#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "hypotheses.hpp"
#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/network/channel.hpp"
#include "roadplane/objective/window.hpp"
#include "roadplane/solver/ledger.hpp"
#include "tangent_frame.hpp"

namespace roadplane {

/// A hyperplane on its way.
struct AgentPlanes {
  TangentFrame frame;              ///< that it is told in, near it, with the same bits for all
  std::vector<Eigen::Vector4d> w;  ///< each hosted agent's own, nearly equal version
};

/// Rough steps by gossip on a sample of the points, which lead to where a solver begins: the agents
/// average small matrices that each sees at its hyperplane, and each takes the step that follows.
class Reweighing {
 public:
  /// Sums are told in units of the largest shard.
  Reweighing(Channel& channel, std::span<const HomogeneousCloud> clouds, Ledger& ledger,
             const Hypotheses& hypotheses)
      : channel_(channel),
        clouds_(clouds),
        ledger_(ledger),
        points_(hypotheses.largest_shard),
        columns_(hypotheses.largest_cloud) {}

  /// So many steps of reweighted least squares of several hyperplanes at once; their sums share the
  /// messages.
  void steps(int count, std::span<AgentPlanes* const> planes, const Window& window) const;
  void steps(int count, AgentPlanes& planes, const Window& window) const;

  /// So many steps of Newton's, none more than a few times as long as one of reweighted least
  /// squares; the last one down the slope of the loss itself. Returns the weighted moments of the
  /// last step, per point of the largest shard: a hosted agent's own, and that of all along the
  /// frame's axes as it sees it.
  struct Moments {
    Eigen::Matrix4d own;
    Eigen::Matrix3d agreed;
  };
  std::vector<Moments> newton_steps(int count, AgentPlanes& planes, const Window& window) const;

  /// Support of hyperplanes, rule by rule, then the number of points as the last rule counts them;
  /// as the first hosted agent sees the whole.
  struct Weighing {
    std::span<AgentPlanes* const> planes;
    SupportRule rule;
  };
  std::vector<double> support(std::span<const Weighing> weighings) const;

 private:
  CloudSums sums_of(std::size_t i, std::size_t groups) const;
  void average(std::span<double> rows, int width, double tolerance) const;

  Channel& channel_;
  std::span<const HomogeneousCloud> clouds_;
  Ledger& ledger_;
  double points_;         ///< of the largest shard
  std::int64_t columns_;  ///< of the largest cloud
};

}  // namespace roadplane
