#include "roadplane/objective/robust_objective.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace roadplane {

RobustObjective::Matrix RobustObjective::chained(const Eigen::Vector4d& u,
                                                 const Eigen::Vector4d& slope,
                                                 double factor) const {
  const double length = u.norm();
  const Eigen::Vector4d w = u / length;
  return map_ * (slope - w * w.dot(slope)) * (scale_.gain * factor / length);
}

double RobustObjective::value(const Matrix& x) const {
  return scale_.gain / scale_.points * CloudSums(*cloud_).value((map_ * x).normalized(), window_);
}

void RobustObjective::gradient(const Matrix& x, Matrix& result) const {
  const Eigen::Vector4d u = map_ * x;
  result = chained(u, sums().slope(u.normalized(), window_), 1 / scale_.points);
}

bool RobustObjective::weighted_moment(const Matrix& x, Eigen::MatrixXd& result) const {
  if (!map_.isIdentity()) return false;  // lengths count
  const Eigen::Matrix4d moment = sums().moment((map_ * x).normalized(), window_);
  result = moment * (scale_.gain / scale_.points);
  return true;
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
  Eigen::Vector4d slope_u;
  Eigen::Vector4d slope_v;
  constexpr std::size_t kMost = 64;  // at once, on the stack
  const Eigen::Vector4d unit_u = u.normalized();
  const Eigen::Vector4d unit_v = v.normalized();
  slope_u.setZero();
  slope_v.setZero();
  for (std::size_t first = 0; first < batch.size(); first += kMost) {
    std::array<std::uint32_t, kMost> columns;
    const std::size_t count = std::min(kMost, batch.size() - first);
    for (std::size_t k = 0; k < count; ++k) columns[k] = column(batch[first + k]);
    Eigen::Vector4d part_u;
    Eigen::Vector4d part_v;
    CloudSums(*cloud_).batch_slopes(std::span(columns).first(count), unit_u, unit_v, window_,
                                    part_u, part_v);
    slope_u += part_u;
    slope_v += part_v;
  }
  const double factor =
      static_cast<double>(cloud_->size()) / (scale_.points * static_cast<double>(batch.size()));
  at_x = chained(u, slope_u, factor);
  at_previous = chained(v, slope_v, factor);
}

void RobustObjective::prefetch(Batch batch) const {
  for (const std::uint32_t j : batch) cloud_->prefetch(column(j));
}

}  // namespace roadplane
