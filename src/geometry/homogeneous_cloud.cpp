#include "roadplane/geometry/homogeneous_cloud.hpp"

#include <cmath>

namespace roadplane {

template <class PointAt>
void HomogeneousCloud::fill(std::size_t count, PointAt point_at) {
  const std::size_t padded = (count + kPadding - 1) / kPadding * kPadding;
  blocks_.resize(padded / kLanes * kBlockFloats);
  index_.resize(count);

  std::size_t used = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const auto [point, position] = point_at(k);
    const float squared = point.x * point.x + point.y * point.y + point.z * point.z;
    const float scale = 1.0F / std::sqrt(squared + 1.0F);
    float* column = blocks_.data() + used / kLanes * kBlockFloats + used % kLanes;
    column[0] = point.x * scale;
    column[kLanes] = point.y * scale;
    column[2 * kLanes] = point.z * scale;
    column[3 * kLanes] = scale;
    index_[used] = position;
    // Written first and kept only if good: a missing return (the origin) has squared = 0, NaN fails
    // both comparisons, and infinite or overflowing coordinates give an infinite square.
    used += (squared > 0.0F && squared < INFINITY) ? 1 : 0;
  }

  index_.resize(used);
  left_out_ = count - used;
  const std::size_t padded_used = (used + kPadding - 1) / kPadding * kPadding;
  blocks_.resize(padded_used / kLanes * kBlockFloats);
  for (std::size_t j = used; j < padded_used; ++j) {
    float* column = blocks_.data() + j / kLanes * kBlockFloats + j % kLanes;
    for (std::size_t r = 0; r < 4; ++r) column[r * kLanes] = 0;
  }
}

void HomogeneousCloud::assign(PointSpan points) {
  fill(points.size(), [points](std::size_t k) {
    return std::pair<const Point&, std::uint32_t>(points[k], static_cast<std::uint32_t>(k));
  });
}

void HomogeneousCloud::assign(PointSpan points, std::span<const std::uint32_t> subset) {
  fill(subset.size(), [points, subset](std::size_t k) {
    return std::pair<const Point&, std::uint32_t>(points[subset[k]], subset[k]);
  });
}

Eigen::Matrix4d HomogeneousCloud::second_moment() const {
  double sums[4][4] = {};
  const std::size_t block_count = blocks_.size() / kBlockFloats;
  for (std::size_t k = 0; k < block_count; ++k) {
    const float* block = blocks_.data() + k * kBlockFloats;
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c <= r; ++c) {
        double sum = 0;
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          sum += static_cast<double>(block[r * kLanes + lane]) *
                 static_cast<double>(block[c * kLanes + lane]);
        }
        sums[r][c] += sum;
      }
    }
  }
  Eigen::Matrix4d moment = Eigen::Matrix4d::Zero();
  if (empty()) return moment;
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c <= r; ++c) {
      moment(r, c) = moment(c, r) = sums[r][c] / static_cast<double>(size());
    }
  }
  return moment;
}

}  // namespace roadplane
