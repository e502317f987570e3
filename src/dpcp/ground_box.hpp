#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "roadplane/dpcp/agree_on_ground.hpp"
#include "roadplane/geometry/homogeneous_cloud.hpp"

namespace roadplane {

/// Columns of a view that counts in full.
inline constexpr int kGroundColumns = HomogeneousCloud::kLanes;

/// The box around all places: the same bits for everybody.
struct GroundBox {
  Eigen::Vector3d centre;
  double unit_m;  ///< from its centre to the ends of all radii; not finite if nobody has a view
};
GroundBox agree_on_ground_box(Channel& channel, std::span<const std::optional<GroundView>> views,
                              double radius_m);

/// Points of a view's ground on a circle around its place; their number is its weight.
std::vector<Eigen::Vector3d> ground_circle(const GroundView& view, double radius_m);

/// These points in units of the box, a unit lower: none of them is the origin.
HomogeneousCloud ground_columns(const std::optional<GroundView>& view, const GroundBox& box,
                                double radius_m);

}  // namespace roadplane
