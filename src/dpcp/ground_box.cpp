#include "ground_box.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace roadplane {

GroundBox agree_on_ground_box(Channel& channel, std::span<const std::optional<GroundView>> views,
                              double radius_m) {
  std::array<double, 6> most;
  most.fill(-std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (!views[i] || channel.gone(static_cast<int>(i))) continue;
    for (int r = 0; r < 3; ++r) {
      auto& high = most[static_cast<std::size_t>(r)];
      auto& low = most[static_cast<std::size_t>(r) + 3];
      high = std::max(high, views[i]->place(r));
      low = std::max(low, -views[i]->place(r));
    }
  }
  channel.flood_max(most);
  const Eigen::Vector3d high(most[0], most[1], most[2]);
  const Eigen::Vector3d low(-most[3], -most[4], -most[5]);
  return {(low + high) / 2, (high - low).head<2>().norm() / 2 + radius_m};
}

std::vector<Eigen::Vector3d> ground_circle(const GroundView& view, double radius_m) {
  const Eigen::Vector3d across = view.normal.unitOrthogonal();
  const Eigen::Vector3d along = view.normal.cross(across);
  const auto count =
      std::clamp(static_cast<int>(std::lround(kGroundColumns * view.weight)), 3, kGroundColumns);
  std::vector<Eigen::Vector3d> points;
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * std::numbers::pi * k / count;
    points.emplace_back(view.place +
                        radius_m * (std::cos(angle) * across + std::sin(angle) * along));
  }
  return points;
}

HomogeneousCloud ground_columns(const std::optional<GroundView>& view, const GroundBox& box,
                                double radius_m) {
  Scan points;
  if (view) {
    for (const Eigen::Vector3d& point : ground_circle(*view, radius_m)) {
      const Eigen::Vector3f at = ((point - box.centre) / box.unit_m).cast<float>();
      points.push_back({at.x(), at.y(), at.z() - 1, 0});  // no point is the origin
    }
  }
  HomogeneousCloud cloud;
  cloud.assign(points);
  return cloud;
}

}  // namespace roadplane
