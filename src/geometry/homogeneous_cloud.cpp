#include "roadplane/geometry/homogeneous_cloud.hpp"

#include <algorithm>

#include "kernels/cloud_kernels.hpp"

namespace roadplane {
namespace {

// Points normalised before their moments are added: they are still in the fastest cache then.
constexpr std::size_t kChunk = 256;

}  // namespace

void HomogeneousCloud::fill(PointSpan points, const std::uint32_t* subset, std::size_t count) {
  const std::size_t padded = (count + kPadding - 1) / kPadding * kPadding;
  if (blocks_.size() < padded * 4) blocks_.resize(padded * 4);
  index_.resize(count);
  std::fill_n(moment_sums_, 10, 0.0);
  const CloudKernels& kernels = cloud_kernels(active_isa());
  const float* first = points.empty() ? nullptr : &points.data()->x;

  std::size_t used = 0;
  std::size_t summed = 0;  // columns whose moments are in the sums; whole chunks of 16
  for (std::size_t k = 0; k < count; k += kChunk) {
    used = kernels.normalise(first, subset == nullptr ? nullptr : subset + k,
                             static_cast<std::uint32_t>(k), std::min(kChunk, count - k), used,
                             blocks_.data(), index_.data());
    const std::size_t whole = used / kPadding * kPadding;
    kernels.add_moment(blocks_.data() + summed * 4, (whole - summed) / kLanes, moment_sums_);
    summed = whole;
  }

  index_.resize(used);
  left_out_ = count - used;
  padded_size_ = (used + kPadding - 1) / kPadding * kPadding;
  for (std::size_t j = used; j < padded_size_; ++j) {
    float* column = blocks_.data() + j / kLanes * kBlockFloats + j % kLanes;
    for (std::size_t r = 0; r < 4; ++r) column[r * kLanes] = 0;
  }
  kernels.add_moment(blocks_.data() + summed * 4, (padded_size_ - summed) / kLanes, moment_sums_);
}

void HomogeneousCloud::assign(PointSpan points) { fill(points, nullptr, points.size()); }

void HomogeneousCloud::assign(PointSpan points, std::span<const std::uint32_t> subset) {
  fill(points, subset.data(), subset.size());
}

Eigen::Matrix4d HomogeneousCloud::second_moment() const {
  Eigen::Matrix4d moment = Eigen::Matrix4d::Zero();
  if (empty()) return moment;
  const double* sum = moment_sums_;
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c <= r; ++c) {
      moment(r, c) = moment(c, r) = *sum++ / static_cast<double>(size());
    }
  }
  return moment;
}

}  // namespace roadplane
