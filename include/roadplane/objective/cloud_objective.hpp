#pragma once

#include <Eigen/Core>

#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/objective/loss.hpp"
#include "roadplane/objective/objective.hpp"

namespace roadplane {

/// A loss over the columns of a homogeneous cloud, seen through a symmetric map M (the whitening
/// C^{-1/2}, or the identity): phi(x'M b). Applying M to x instead of to every b leaves the cloud
/// as it is: x'(M b) = (M x)'b, and the gradient in x is M times that in M x.
template <Loss L, int P>
class CloudObjective final : public Objective<4, P> {
 public:
  using typename Objective<4, P>::Matrix;
  using typename Objective<4, P>::Batch;

  /// The cloud must outlive the objective, whose mean over the columns counts `weight` times:
  /// an agent's points in units of the average agent's.
  explicit CloudObjective(const HomogeneousCloud& cloud,
                          const Eigen::Matrix4d& map = Eigen::Matrix4d::Identity(), L loss = {},
                          double weight = 1)
      : cloud_(&cloud), map_(map), loss_(loss), weight_(weight) {}

  int n() const override { return 4; }
  std::uint32_t samples() const override { return static_cast<std::uint32_t>(cloud_->size()); }

  double value(const Matrix& x) const override {
    const Matrix u = map_ * x;
    double sum = 0;
    for (std::size_t j = 0; j < cloud_->size(); ++j) {
      const Eigen::Matrix<double, P, 1> y = u.transpose() * cloud_->column(j);
      for (int c = 0; c < P; ++c) sum += loss_.value(y(c));
    }
    return cloud_->empty() ? 0 : weight_ * sum / static_cast<double>(cloud_->size());
  }

  void gradient(const Matrix& x, Matrix& result) const override {
    result.setZero();
    if (cloud_->empty()) return;
    const Matrix u = map_ * x;
    for (int c = 0; c < P; ++c) result.col(c) = slope_sum(u.col(c));
    result = map_ * result.eval() * (weight_ / static_cast<double>(cloud_->size()));
  }

  void batch_gradient(const Matrix& x, Batch batch, Matrix& result) const override {
    result.setZero();
    if (batch.empty()) return;
    const Matrix u = map_ * x;
    Matrix sum = Matrix::Zero();
    for (const std::uint32_t j : batch) add_slope(u, cloud_->column(j), sum);
    result = map_ * sum * (weight_ / static_cast<double>(batch.size()));
  }

  void batch_gradients(const Matrix& x, const Matrix& previous, Batch batch, Matrix& at_x,
                       Matrix& at_previous) const override {
    at_x.setZero();
    at_previous.setZero();
    if (batch.empty()) return;
    const Matrix u = map_ * x;
    const Matrix v = map_ * previous;
    Matrix sum_u = Matrix::Zero();
    Matrix sum_v = Matrix::Zero();
    for (const std::uint32_t j : batch) {
      const Eigen::Vector4d b = cloud_->column(j);
      add_slope(u, b, sum_u);
      add_slope(v, b, sum_v);
    }
    at_x = map_ * sum_u * (weight_ / static_cast<double>(batch.size()));
    at_previous = map_ * sum_v * (weight_ / static_cast<double>(batch.size()));
  }

  /// The weight of a column b is the mean of those of its P projections.
  bool weighted_moment(const Matrix& x, Eigen::MatrixXd& result) const override {
    result = weighted_mean(x, [this](double y) { return weight_of(loss_, y); });
    return true;
  }

  bool bowl(const Matrix& x, Bowl& result) const override {
    if constexpr (P == 1 && CurvedLoss<L>) {
      weighted_moment(x, result.moment);
      result.curvature = weighted_mean(x, [this](double y) { return loss_.curvature(y); });
      return true;
    }
    return false;
  }

  void prefetch(Batch batch) const override {
    for (const std::uint32_t j : batch) cloud_->prefetch(j);
  }

 private:
  void add_slope(const Matrix& u, const Eigen::Vector4d& b, Matrix& sum) const {
    for (int c = 0; c < P; ++c) sum.col(c) += loss_.slope(u.col(c).dot(b)) * b;
  }

  /// Of b b', with the mean of the weights of b's P projections.
  Eigen::Matrix4d weighted_mean(const Matrix& x, const auto& weight_at) const {
    const Matrix u = map_ * x;
    Eigen::Matrix4d sum = Eigen::Matrix4d::Zero();
    for (std::size_t j = 0; j < cloud_->size(); ++j) {
      const Eigen::Vector4d b = cloud_->column(j);
      double weight = 0;
      for (int c = 0; c < P; ++c) weight += weight_at(u.col(c).dot(b)) / P;
      sum += weight * b * b.transpose();
    }
    if (!cloud_->empty()) sum *= weight_ / static_cast<double>(cloud_->size());
    return map_ * sum * map_;
  }

  /// sum_j phi'(u'b_j) b_j over all columns, four at a time so that it vectorises; the padding adds
  /// nothing because its b is zero.
  Eigen::Vector4d slope_sum(const Eigen::Vector4d& u) const {
    double sums[4][kFour] = {};
    for_four_columns(*cloud_, [&](const double(&b)[4][kFour]) {
      for (int lane = 0; lane < kFour; ++lane) {
        const double slope = loss_.slope(u(0) * b[0][lane] + u(1) * b[1][lane] + u(2) * b[2][lane] +
                                         u(3) * b[3][lane]);
        for (int r = 0; r < 4; ++r) sums[r][lane] += slope * b[r][lane];
      }
    });
    Eigen::Vector4d total;
    for (int r = 0; r < 4; ++r) total(r) = (sums[r][0] + sums[r][1]) + (sums[r][2] + sums[r][3]);
    return total;
  }

  const HomogeneousCloud* cloud_;
  Eigen::Matrix4d map_;
  L loss_;
  double weight_;
};

}  // namespace roadplane
