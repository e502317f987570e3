#include "roadplane/objective/robust_objective.hpp"

namespace roadplane {

RobustObjective::Matrix RobustObjective::chained(const Eigen::Vector4d& u,
                                                 const Eigen::Vector4d& slope,
                                                 double factor) const {
  const double length = u.norm();
  const Eigen::Vector4d w = u / length;
  return map_ * (slope - w * w.dot(slope)) * (scale_.gain * factor / length);
}

double RobustObjective::value(const Matrix& x) const {
  return scale_.gain / scale_.points * sums().value((map_ * x).normalized(), window_);
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

/// With P = I - ww' and the slope M w: P (C - w'Mw I) P - P M w w' - w w'M P, by the length
/// squared.
Eigen::Matrix4d RobustObjective::chained_twice(const Eigen::Vector4d& u,
                                               const Eigen::Matrix4d& moment,
                                               const Eigen::Matrix4d& second) const {
  const Eigen::Vector4d w = u.normalized();
  const Eigen::Matrix4d across = Eigen::Matrix4d::Identity() - w * w.transpose();
  const Eigen::Vector4d slope = moment * w;
  const Eigen::Matrix4d beside = across * slope * w.transpose();
  const Eigen::Matrix4d bend =
      across * second * across - w.dot(slope) * across - beside - beside.transpose();
  return map_ * bend * map_ * (scale_.gain / (scale_.points * u.squaredNorm()));
}

bool RobustObjective::bowl(const Matrix& x, Bowl& result) const {
  const Eigen::Vector4d u = map_ * x;
  const CloudSums::Bowl own = sums().bowl(u.normalized(), window_);
  result.moment = chained_twice(u, own.moment, own.moment);
  result.curvature = chained_twice(u, own.moment, own.curvature);
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
  sums().batch_slopes(batch, u.normalized(), v.normalized(), window_, slope_u, slope_v);
  const double factor = cloud_->points() / (scale_.points * static_cast<double>(batch.size()));
  at_x = chained(u, slope_u, factor);
  at_previous = chained(v, slope_v, factor);
}

void RobustObjective::prefetch(Batch batch) const {
  for (const std::uint32_t j : batch) cloud_->prefetch(j);
}

}  // namespace roadplane
