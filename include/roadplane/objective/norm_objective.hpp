#pragma once

#include <Eigen/Core>
#include <utility>

#include "roadplane/objective/loss.hpp"
#include "roadplane/objective/objective.hpp"

namespace roadplane {

/// A loss of the lengths ||X'b|| over the columns b of a dense n x l matrix: of a column's distance
/// from the subspace that X is normal to, whatever basis X is.
template <Loss L>
class NormObjective final : public Objective<Eigen::Dynamic, Eigen::Dynamic> {
 public:
  explicit NormObjective(Eigen::MatrixXd columns, L loss = {})
      : columns_(std::move(columns)), loss_(loss) {}

  int n() const override { return static_cast<int>(columns_.rows()); }
  std::uint32_t samples() const override { return static_cast<std::uint32_t>(columns_.cols()); }

  double value(const Matrix& x) const override {
    double sum = 0;
    for (Eigen::Index j = 0; j < columns_.cols(); ++j) sum += loss_.value(length(x, j));
    return columns_.cols() == 0 ? 0 : sum / static_cast<double>(columns_.cols());
  }

  void gradient(const Matrix& x, Matrix& result) const override {
    result.setZero();
    for (Eigen::Index j = 0; j < columns_.cols(); ++j) add_slope(x, j, result);
    if (columns_.cols() > 0) result /= static_cast<double>(columns_.cols());
  }

  void batch_gradient(const Matrix& x, Batch batch, Matrix& result) const override {
    result.setZero();
    for (const std::uint32_t j : batch) add_slope(x, j, result);
    if (!batch.empty()) result /= static_cast<double>(batch.size());
  }

  bool weighted_moment(const Matrix& x, Eigen::MatrixXd& result) const override {
    Eigen::VectorXd weights(columns_.cols());
    for (Eigen::Index j = 0; j < columns_.cols(); ++j) weights(j) = weight_of(loss_, length(x, j));
    result = columns_ * weights.asDiagonal() * columns_.transpose();
    if (columns_.cols() > 0) result /= static_cast<double>(columns_.cols());
    return true;
  }

 private:
  double length(const Matrix& x, Eigen::Index j) const {
    return (x.transpose() * columns_.col(j)).norm();
  }
  void add_slope(const Matrix& x, Eigen::Index j, Matrix& sum) const {
    const Eigen::VectorXd y = x.transpose() * columns_.col(j);
    sum.noalias() += columns_.col(j) * (weight_of(loss_, y.norm()) * y).transpose();
  }

  Eigen::MatrixXd columns_;
  L loss_;
};

}  // namespace roadplane
