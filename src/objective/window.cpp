#include "roadplane/objective/window.hpp"

#include <algorithm>
#include <cmath>

#include "roadplane/geometry/symmetric.hpp"
#include "roadplane/kernels/floor_kernels.hpp"
#include "roadplane/kernels/robust_kernels.hpp"

namespace roadplane {

ThinnedGroups looked_at(const HomogeneousCloud& cloud, const Thinning& thinning) {
  return {cloud.groups(), cloud.group_count(), thinning.stride, thinning.agent};
}

std::size_t columns_in(const ThinnedGroups& groups, const HomogeneousCloud& cloud) {
  constexpr std::size_t kGroup = HomogeneousCloud::kLanes;
  const std::size_t count = groups.count();
  if (count == 0) return 0;
  const bool last = groups.group(count - 1) == groups.groups - 1;  // all are full but that
  return count * kGroup - (last ? cloud.group_count() * kGroup - cloud.size() : 0);
}

namespace {

/// What the sum over all points is of the sum over these.
double whole_of(const ThinnedGroups& columns, const HomogeneousCloud& cloud) {
  const auto some = static_cast<double>(columns_in(columns, cloud));
  return some > 0 ? cloud.points() / some : 0;
}

const RobustKernels& kernels_of(const Window& window) {
  return robust_kernels(active_isa(), window.loss);
}

}  // namespace

KernelWindow kernel_window(const Window& window) {
  const auto side = [](const WindowScale& scale) {
    return KernelWindow::Side{static_cast<float>(scale.rad), static_cast<float>(scale.m)};
  };
  const double near = window.near_m > 0 ? 1 / (window.near_m * window.near_m) : 0;
  return {side(window.above), side(window.below), static_cast<float>(near)};
}

Window Window::scaled(double factor) const {
  Window result = *this;
  for (WindowScale* scale : {&result.above, &result.below}) {
    scale->rad *= factor;
    scale->m *= factor;
  }
  return result;
}

double CloudSums::value(const Eigen::Vector4d& w, const Window& window) const {
  double sum = 0;
  for (std::size_t j = 0; j < cloud_->size(); ++j) {
    const Eigen::Vector4d b = cloud_->column(j);
    const double range_m = 1 / b(3);
    const double y = w.dot(b);
    const double scale = (y < 0 ? window.below : window.above).at(range_m);
    const double count =
        window.near_m > 0 ? std::min(1.0, std::pow(range_m / window.near_m, 2)) : 1;
    sum += count * window.loss.value(y, scale);
  }
  return cloud_->empty() ? 0 : sum * cloud_->points() / static_cast<double>(cloud_->size());
}

Eigen::Vector4d CloudSums::slope(const Eigen::Vector4d& w, const Window& window) const {
  Eigen::Vector4d sum = Eigen::Vector4d::Zero();
  if (cloud_->empty()) return sum;
  const ThinnedGroups columns = looked_at(*cloud_, thinning_);
  kernels_of(window).slope_sum(columns, w.data(), kernel_window(window), sum.data());
  return sum * whole_of(columns, *cloud_);
}

void CloudSums::batch_slopes(std::span<const std::uint32_t> batch, const Eigen::Vector4d& v,
                             const Eigen::Vector4d& w, const Window& window, Eigen::Vector4d& at_v,
                             Eigen::Vector4d& at_w) const {
  kernels_of(window).batch_slope_sums(cloud_->groups(), batch.data(), batch.size(), v.data(),
                                      w.data(), kernel_window(window), at_v.data(), at_w.data());
}

Eigen::Matrix4d CloudSums::moment(const Eigen::Vector4d& w, const Window& window) const {
  if (cloud_->empty()) return Eigen::Matrix4d::Zero();
  double sums[kTriangleSize];
  const ThinnedGroups columns = looked_at(*cloud_, thinning_);
  kernels_of(window).weighted_moment(columns, w.data(), kernel_window(window), sums);
  return unpack_triangle(sums) * whole_of(columns, *cloud_);
}

CloudSums::Bowl CloudSums::bowl(const Eigen::Vector4d& w, const Window& window) const {
  if (cloud_->empty()) return {Eigen::Matrix4d::Zero(), Eigen::Matrix4d::Zero()};
  double sums[2][kTriangleSize];
  const ThinnedGroups columns = looked_at(*cloud_, thinning_);
  kernels_of(window).moment_and_curvature(columns, w.data(), kernel_window(window), sums[0]);
  const double whole = whole_of(columns, *cloud_);
  return {unpack_triangle(sums[0]) * whole, unpack_triangle(sums[1]) * whole};
}

CloudSums::Support CloudSums::support(const Eigen::Vector4d& w, const Window& window) const {
  if (cloud_->empty()) return {0, 0};
  double sums[2];
  const ThinnedGroups columns = looked_at(*cloud_, thinning_);
  floor_kernels(active_isa()).support(columns, w.data(), kernel_window(window), sums);
  const double whole = whole_of(columns, *cloud_);
  return {sums[0] * whole, sums[1] * whole};
}

void CloudSums::inspect(const InspectedPlane& plane, std::span<double> numbers) const {
  std::fill(numbers.begin(), numbers.end(), 0.0);
  if (cloud_->empty()) return;
  const ThinnedGroups columns = looked_at(*cloud_, thinning_);
  inspection_kernel(active_isa())(columns, plane, numbers.data());
  const double whole = whole_of(columns, *cloud_);
  for (double& number : numbers) number *= whole;
}

}  // namespace roadplane
