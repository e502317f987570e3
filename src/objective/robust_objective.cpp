#include "roadplane/objective/robust_objective.hpp"

#include <algorithm>
#include <cmath>

#include "roadplane/kernels/robust_kernels.hpp"

namespace roadplane {
namespace {

constexpr std::size_t kGroup = 16;  // columns that the kernels take or leave together

KernelLoss kernel_loss(const SquaredScales& squared) {
  return {static_cast<float>(squared.inside), static_cast<float>(squared.beyond)};
}

/// All groups are full but the last.
double columns_in(const ThinnedBlocks& columns, const HomogeneousCloud& cloud) {
  const std::size_t count = columns.count();
  const bool last = columns.group(count - 1) == columns.groups - 1;
  return static_cast<double>(count * kGroup - (last ? cloud.padded_size() - cloud.size() : 0));
}

}  // namespace

int Graduation::stage(int outer_iteration) const {
  return first_stage + std::max(0, outer_iteration - 1) / iterations;
}

double Graduation::scale_rad(int outer_iteration) const {
  const int done = std::min(stage(outer_iteration), sharpenings);
  if (done == sharpenings) return last_rad;
  return first_rad * std::pow(last_rad / first_rad, static_cast<double>(done) / sharpenings);
}

double Graduation::beyond_factor(int outer_iteration) const {
  return stage(outer_iteration) < sharpenings ? beyond : last_beyond;
}

int Graduation::thinning_at(int outer_iteration) const {
  // Before the first step a rough direction will do: the next full gradient corrects it.
  const int least = outer_iteration == 0 ? 4 : 1;
  return std::max(least, thinning >> std::min(stage(outer_iteration), 30));
}

RobustObjective::RobustObjective(const HomogeneousCloud& cloud, const Eigen::Matrix4d& map,
                                 const Graduation& graduation, double share, std::uint32_t agent,
                                 Isa isa)
    : cloud_(&cloud),
      map_(map),
      graduation_(graduation),
      share_(share),
      agent_(agent),
      kernels_(&robust_kernels(isa, graduation.loss)) {}

void RobustObjective::begin_outer_iteration(int k, const Matrix& x) {
  const double scale = graduation_.scale_rad(k) * (map_ * x).norm();
  const double beyond = scale * graduation_.beyond_factor(k);
  squared_ = {scale * scale, beyond * beyond};
  thinning_ = graduation_.thinning_at(k);
}

std::int64_t RobustObjective::full_pass(std::int64_t samples) const {
  const auto group = static_cast<std::int64_t>(kGroup);
  const std::int64_t groups = (samples + group - 1) / group;
  return std::min(samples, (groups + thinning_ - 1) / thinning_ * group);
}

double RobustObjective::value(const Matrix& x) const {
  const Eigen::Vector4d u = map_ * x;
  double sum = 0;
  for (std::size_t j = 0; j < cloud_->size(); ++j) {
    sum += graduation_.loss.value(u.dot(cloud_->column(j)), squared_);
  }
  return cloud_->empty() ? 0 : share_ * sum / static_cast<double>(cloud_->size());
}

ThinnedBlocks RobustObjective::thinned() const {
  return {cloud_->blocks(), cloud_->padded_size() / kGroup, static_cast<std::size_t>(thinning_),
          agent_};
}

void RobustObjective::gradient(const Matrix& x, Matrix& result) const {
  result.setZero();
  if (cloud_->empty()) return;
  const Eigen::Vector4d u = map_ * x;
  Eigen::Vector4d sum;
  const ThinnedBlocks columns = thinned();
  kernels_->slope_sum(columns, u.data(), kernel_loss(squared_), sum.data());
  result = map_ * sum * (share_ / columns_in(columns, *cloud_));
}

Eigen::Matrix4d RobustObjective::weighted_moment(const Matrix& x) const {
  Eigen::Matrix4d moment = Eigen::Matrix4d::Zero();
  if (cloud_->empty()) return moment;
  const Eigen::Vector4d u = map_ * x;
  double sums[10];
  const ThinnedBlocks columns = thinned();
  kernels_->weighted_moment(columns, u.data(), kernel_loss(squared_), sums);
  const double scale = share_ / columns_in(columns, *cloud_);
  const double* sum = sums;
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c <= r; ++c) moment(r, c) = moment(c, r) = *sum++ * scale;
  }
  return moment;
}

void RobustObjective::batch_gradient(const Matrix& x, Batch batch, Matrix& result) const {
  Matrix again;
  batch_gradients(x, x, batch, result, again);
}

void RobustObjective::batch_gradients(const Matrix& x, const Matrix& previous, Batch batch,
                                      Matrix& at_x, Matrix& at_previous) const {
  at_x.setZero();
  at_previous.setZero();
  if (batch.empty()) return;
  const Eigen::Vector4d u = map_ * x;
  const Eigen::Vector4d v = map_ * previous;
  Eigen::Vector4d sum_u;
  Eigen::Vector4d sum_v;
  kernels_->batch_slope_sums(cloud_->blocks(), batch.data(), batch.size(), u.data(), v.data(),
                             kernel_loss(squared_), sum_u.data(), sum_v.data());
  const double scale = share_ / static_cast<double>(batch.size());
  at_x = map_ * sum_u * scale;
  at_previous = map_ * sum_v * scale;
}

void RobustObjective::prefetch(Batch batch) const {
  for (const std::uint32_t j : batch) __builtin_prefetch(cloud_->column_data(j));
}

}  // namespace roadplane
