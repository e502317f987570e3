#include "roadplane/evaluation/plane_distance.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "roadplane/evaluation/scoring.hpp"
#include "roadplane/geometry/plane.hpp"

namespace roadplane {

std::optional<PlaneDistance> plane_distance(const Eigen::Vector4d& w, const Eigen::Vector4d& truth,
                                            const Eigen::Vector3d& place) {
  const auto found = Plane::from_hyperplane(w);
  const auto sought = Plane::from_hyperplane(truth);
  if (!found || !sought) return std::nullopt;
  const double sine = found->normal.cross(sought->normal).norm();
  const double cosine = std::abs(found->normal.dot(sought->normal));
  const double above_m = sought->normal.dot(place) + sought->offset_m;
  const Eigen::Vector3d on_truth = place - above_m * sought->normal;
  return PlaneDistance{std::atan2(sine, cosine) * 180 / std::numbers::pi,
                       std::abs(found->normal.dot(on_truth) + found->offset_m)};
}

Eigen::Vector3d middle_of_near_points(PointSpan points, std::span<const std::uint8_t> mask) {
  std::vector<Eigen::Vector3d> taken;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Eigen::Vector3d p(points[k].x, points[k].y, points[k].z);
    const bool is_return = p.allFinite() && !p.isZero();
    if (is_return && (mask.empty() || mask[k] == kPositive)) taken.push_back(p);
  }
  if (taken.empty()) return Eigen::Vector3d::Zero();
  const auto range = [](const Eigen::Vector3d& p) { return p.head<2>().norm(); };
  const std::size_t near = (taken.size() + 1) / 2;
  std::nth_element(taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(near) - 1,
                   taken.end(), [&](const auto& a, const auto& b) { return range(a) < range(b); });
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (std::size_t k = 0; k < near; ++k) sum += taken[k];
  return sum / static_cast<double>(near);
}

}  // namespace roadplane
