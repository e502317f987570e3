#include "roadplane/geometry/homogeneous_cloud.hpp"

#include <algorithm>

#include "roadplane/geometry/symmetric.hpp"
#include "roadplane/kernels/cloud_kernels.hpp"
#include "roadplane/kernels/floor_kernels.hpp"

namespace roadplane {
namespace {

// Groups of one agent normalised before those of the next: what they share of the scan is still in
// the fastest cache then.
constexpr std::size_t kChunk = 16;

std::size_t groups_for(std::size_t count) {
  return (count + HomogeneousCloud::kLanes - 1) / HomogeneousCloud::kLanes;
}

}  // namespace

void HomogeneousCloud::begin(const PointSample& sample) {
  const std::size_t floats = groups_for(sample.taken) * kGroupFloats;
  if (groups_.size() < floats) groups_.resize(floats);
  index_.resize(sample.taken);
  used_ = 0;
  points_per_column_ =
      sample.taken > 0 ? static_cast<double>(sample.total) / static_cast<double>(sample.taken) : 1;
}

void HomogeneousCloud::append(const PointRows& points, const PointSample& sample, std::size_t first,
                              std::size_t count) {
  used_ =
      cloud_kernels(active_isa())
          .normalise(points.floats(), sample, first, count, used_, groups_.data(), index_.data());
}

void HomogeneousCloud::finish() {
  index_.resize(used_);
  group_count_ = groups_for(used_);
  for (std::size_t j = used_; j < group_count_ * kLanes; ++j) {
    float* column = groups_.data() + j / kLanes * kGroupFloats + j % kLanes;
    for (std::size_t r = 0; r < 4; ++r) column[r * kLanes] = 0;
  }
}

PointSample HomogeneousCloud::of(std::span<const std::uint32_t> subset, std::size_t count,
                                 const Sample& sample) {
  // The other dimension of the R2 sequence that the kernel spreads its fractions by.
  return {subset.data(), count, std::min(count, sample.most), sample.agent * 2447445413U};
}

void HomogeneousCloud::fill(const PointRows& points, const PointSample& sample) {
  begin(sample);
  append(points, sample, 0, groups_for(sample.taken));
  finish();
}

void HomogeneousCloud::assign(const PointRows& points, const Sample& sample) {
  fill(points, of({}, points.size(), sample));
}

void HomogeneousCloud::assign(const PointRows& points, std::span<const std::uint32_t> subset,
                              const Sample& sample) {
  fill(points, of(subset, subset.size(), sample));
}

void HomogeneousCloud::assign_moved(const HomogeneousCloud& cloud,
                                    const Eigen::Matrix<double, 3, 4>& motion) {
  const std::size_t floats = cloud.group_count_ * kGroupFloats;
  if (groups_.size() < floats) groups_.resize(floats);
  group_count_ = cloud.group_count_;
  used_ = cloud.used_;
  points_per_column_ = cloud.points_per_column_;
  index_.clear();
  const Eigen::Matrix<double, 3, 4, Eigen::RowMajor> rows = motion;
  floor_kernels(active_isa()).move(cloud.groups(), group_count_, rows.data(), groups_.data());
}

void assign_shards(const PointRows& points, const Shards& shards, std::span<const int> agents,
                   std::span<HomogeneousCloud> clouds, const HomogeneousCloud::Sample& sample) {
  std::vector<PointSample> samples;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    const auto own = shards[agents[i]];
    samples.push_back(HomogeneousCloud::of(
        own, own.size(), {sample.most, sample.agent + static_cast<std::uint32_t>(agents[i])}));
    clouds[i].begin(samples[i]);
    longest = std::max(longest, samples[i].taken);
  }
  for (std::size_t k = 0; k < groups_for(longest); k += kChunk) {
    for (std::size_t i = 0; i < clouds.size(); ++i) {
      const std::size_t groups = groups_for(samples[i].taken);
      if (k < groups) clouds[i].append(points, samples[i], k, std::min(kChunk, groups - k));
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
