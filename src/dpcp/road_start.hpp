#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "roadplane/dpcp/road_prior.hpp"
#include "roadplane/dpcp/spectrum.hpp"
#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/network/channel.hpp"

namespace roadplane {

/// Where each hosted agent starts, as a unit hyperplane with the sensor on its positive side.
struct RoadStart {
  std::vector<Eigen::Vector4d> w;
  bool prior_applied = false;  ///< a plane outside the prior had more support
};

/// The same hyperplane, unit, the sensor on the positive side.
inline Eigen::Vector4d towards_sensor(const Eigen::Vector4d& w) {
  return w.normalized() * (w(3) < 0 ? -1 : 1);
}

/// The agents weigh a few candidates (the spectral one, level planes at several heights, planes
/// along the other axes) on a sample of their points, average the scores by gossip, and agree on
/// the best that the prior allows.
RoadStart choose_start(Channel& channel, std::span<const HomogeneousCloud> shards,
                       std::span<const Spectrum> views, const RoadPrior& prior);

}  // namespace roadplane
