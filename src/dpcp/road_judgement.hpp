#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/network/channel.hpp"

namespace roadplane {

/// What the points say about a plane that was found.
struct RoadJudgement {
  /// Each hosted agent's view, near points counting more: how many points are on the plane, and how
  /// many clearly beyond it, where a road has none.
  struct View {
    double support = 0;
    double beyond = 0;
  };
  std::vector<View> views;
  bool stands_above_points = false;  ///< agreed: too many points are beyond the plane for a road
  double second_plane_m = 0;         ///< see RoadFinding
  double second_plane_support = 0;
};

/// The agents weigh the plane, each its own nearly equal version, on a sample of their points, and
/// agree by gossip.
RoadJudgement judge_road(Channel& channel, std::span<const HomogeneousCloud> shards,
                         std::span<const Eigen::Vector4d> w, double scale_rad);

struct JudgedPlane {
  std::span<const Eigen::Vector4d> w;
  const RoadJudgement& judgement;
};

/// Whether all agents prefer the plane that settled from `start`, below the `upper` one.
bool agree_on_lower(Channel& channel, const JudgedPlane& upper,
                    std::span<const Eigen::Vector4d> start, const JudgedPlane& settled);

}  // namespace roadplane
