#include "roadplane/geometry/homogeneous_cloud.hpp"

#include <algorithm>

#include "roadplane/geometry/symmetric.hpp"
#include "roadplane/kernels/cloud_kernels.hpp"

namespace roadplane {
namespace {

// Groups of one agent normalised before those of the next: what they share of the scan is still in
// the fastest cache then.
constexpr std::size_t kChunk = 16;

std::size_t groups_for(std::size_t count) {
  return (count + HomogeneousCloud::kLanes - 1) / HomogeneousCloud::kLanes;
}

}  // namespace

void HomogeneousCloud::begin(std::size_t count) {
  const std::size_t floats = groups_for(count) * kGroupFloats;
  if (groups_.size() < floats) groups_.resize(floats);
  index_.resize(count);
  used_ = 0;
}

void HomogeneousCloud::append(PointSpan points, const std::uint32_t* subset, std::size_t total,
                              std::size_t first, std::size_t count) {
  used_ = cloud_kernels(active_isa())
              .normalise(points.empty() ? nullptr : &points.data()->x, subset, total, first, count,
                         used_, groups_.data(), index_.data());
}

void HomogeneousCloud::finish() {
  index_.resize(used_);
  group_count_ = groups_for(used_);
  for (std::size_t j = used_; j < group_count_ * kLanes; ++j) {
    float* column = groups_.data() + j / kLanes * kGroupFloats + j % kLanes;
    for (std::size_t r = 0; r < 4; ++r) column[r * kLanes] = 0;
  }
}

void HomogeneousCloud::fill(PointSpan points, const std::uint32_t* subset, std::size_t count) {
  begin(count);
  append(points, subset, count, 0, groups_for(count));
  finish();
}

void HomogeneousCloud::assign(PointSpan points) { fill(points, nullptr, points.size()); }

void HomogeneousCloud::assign(PointSpan points, std::span<const std::uint32_t> subset) {
  fill(points, subset.data(), subset.size());
}

void assign_shards(PointSpan points, const Shards& shards, std::span<const int> agents,
                   std::span<HomogeneousCloud> clouds) {
  std::size_t longest = 0;
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    clouds[i].begin(shards[agents[i]].size());
    longest = std::max(longest, shards[agents[i]].size());
  }
  for (std::size_t k = 0; k < groups_for(longest); k += kChunk) {
    for (std::size_t i = 0; i < clouds.size(); ++i) {
      const auto subset = shards[agents[i]];
      const std::size_t groups = groups_for(subset.size());
      if (k < groups) {
        clouds[i].append(points, subset.data(), subset.size(), k, std::min(kChunk, groups - k));
      }
    }
  }
  for (HomogeneousCloud& cloud : clouds) cloud.finish();
}

Eigen::Matrix4d HomogeneousCloud::second_moment() const {
  if (empty()) return Eigen::Matrix4d::Zero();
  double sums[kTriangleSize] = {};
  cloud_kernels(active_isa()).add_moment(groups_.data(), group_count_, sums);
  return unpack_triangle(sums) / static_cast<double>(size());
}

}  // namespace roadplane
