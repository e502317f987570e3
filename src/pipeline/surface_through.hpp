#pragma once

#include <Eigen/Core>
#include <vector>

namespace roadplane {

/// Height and slopes of the ground at a place from points around it (x, y and height from there),
/// beginning at the median height and the slopes of the vehicle's own plane. Not finite if they
/// tell nothing.
Eigen::Vector3d surface_through(const std::vector<Eigen::Vector3d>& around,
                                const Eigen::Vector2d& own_slopes);

}  // namespace roadplane
