#include "roadplane/geometry/homogeneous_cloud.hpp"

#include <algorithm>

#include "roadplane/geometry/symmetric.hpp"
#include "roadplane/kernels/cloud_kernels.hpp"

namespace roadplane {
namespace {

// Points normalised before their moments are added: they are still in the fastest cache then.
constexpr std::size_t kChunk = 256;

}  // namespace

void HomogeneousCloud::begin(std::size_t count) {
  const std::size_t padded = (count + kPadding - 1) / kPadding * kPadding;
  if (blocks_.size() < padded * 4) blocks_.resize(padded * 4);
  index_.resize(count);
  std::fill_n(moment_sums_, kTriangleSize, 0.0);
  used_ = 0;
  summed_ = 0;
}

void HomogeneousCloud::append(PointSpan points, const std::uint32_t* subset, std::size_t first,
                              std::size_t count) {
  const CloudKernels& kernels = cloud_kernels(active_isa());
  used_ = kernels.normalise(
      points.empty() ? nullptr : &points.data()->x, subset == nullptr ? nullptr : subset + first,
      static_cast<std::uint32_t>(first), count, used_, blocks_.data(), index_.data());
  const std::size_t whole = used_ / kPadding * kPadding;
  kernels.add_moment(blocks_.data() + summed_ * 4, (whole - summed_) / kLanes, moment_sums_);
  summed_ = whole;
}

void HomogeneousCloud::finish() {
  index_.resize(used_);
  padded_size_ = (used_ + kPadding - 1) / kPadding * kPadding;
  for (std::size_t j = used_; j < padded_size_; ++j) {
    float* column = blocks_.data() + j / kLanes * kBlockFloats + j % kLanes;
    for (std::size_t r = 0; r < 4; ++r) column[r * kLanes] = 0;
  }
  cloud_kernels(active_isa())
      .add_moment(blocks_.data() + summed_ * 4, (padded_size_ - summed_) / kLanes, moment_sums_);
}

void HomogeneousCloud::fill(PointSpan points, const std::uint32_t* subset, std::size_t count) {
  begin(count);
  for (std::size_t k = 0; k < count; k += kChunk) {
    append(points, subset, k, std::min(kChunk, count - k));
  }
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
  for (std::size_t k = 0; k < longest; k += kChunk) {
    for (std::size_t i = 0; i < clouds.size(); ++i) {
      const auto subset = shards[agents[i]];
      if (k < subset.size()) {
        clouds[i].append(points, subset.data(), k, std::min(kChunk, subset.size() - k));
      }
    }
  }
  for (HomogeneousCloud& cloud : clouds) cloud.finish();
}

Eigen::Matrix4d HomogeneousCloud::second_moment() const {
  if (empty()) return Eigen::Matrix4d::Zero();
  return unpack_triangle(moment_sums_) / static_cast<double>(size());
}

}  // namespace roadplane
