#include "roadplane/ground/labelling.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "roadplane/kernels/cloud_kernels.hpp"

namespace roadplane {
namespace {

/// The hyperplane with the sensor above it, scaled so that its value at a point is the distance: in
/// metres its normal has unit length.
Eigen::Vector4f scaled(const Eigen::Vector4d& w, ResidualUnit unit) {
  const double length = unit == ResidualUnit::metres ? w.head<3>().norm() : w.norm();
  return (w * ((w(3) < 0 ? -1 : 1) / length)).cast<float>();
}

/// The points that `own` names; null means all.
void label_with(const PointRows& points, const std::uint32_t* own, std::size_t count,
                const Eigen::Vector4d& w, const Threshold& threshold, PointLabels& labels) {
  if (count == 0) return;
  const Eigen::Vector4f plane = scaled(w, threshold.unit);
  cloud_kernels(active_isa())
      .label(points.floats(), own, count, plane.data(), threshold.unit == ResidualUnit::angle,
             static_cast<float>(threshold.value), labels.residuals.data(), labels.road.data());
}

}  // namespace

std::size_t PointLabels::count() const {
  // Eight labels are added at once, each to a byte of the sum, as often as a byte can count.
  constexpr std::size_t kEight = sizeof(std::uint64_t);
  const std::size_t whole = road.size() / kEight * kEight;
  std::size_t count = std::accumulate(road.data() + whole, road.data() + road.size(), 0U);
  for (std::size_t k = 0; k < whole;) {
    std::uint64_t bytes = 0;
    for (const std::size_t end = std::min(whole, k + 255 * kEight); k < end; k += kEight) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, &road[k], kEight);
      bytes += eight;
    }
    for (; bytes != 0; bytes >>= 8) count += bytes & 0xFF;
  }
  return count;
}

PointLabels label_points(const PointRows& points, const Eigen::Vector4d& w,
                         const Threshold& threshold) {
  PointLabels labels(points.size());
  label_with(points, nullptr, points.size(), w, threshold, labels);
  return labels;
}

PointLabels label_points(const PointRows& points, const Shards& shards,
                         std::span<const Eigen::Vector4d> planes, const Threshold& threshold,
                         Residuals residuals) {
  PointLabels labels(points.size(), residuals);
  for (int i = 0; i < shards.agents(); ++i) {
    const auto own = shards[i];
    label_with(points, own.data(), own.size(), planes[static_cast<std::size_t>(i)], threshold,
               labels);
  }
  return labels;
}

}  // namespace roadplane
