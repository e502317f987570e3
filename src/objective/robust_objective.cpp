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
