#pragma once

#include <Eigen/Core>
#include <utility>

#include "roadplane/objective/loss.hpp"
#include "roadplane/objective/objective.hpp"

namespace roadplane {

/// A loss over the columns of a dense n x l matrix, for any n and p.
template <Loss L>
class DenseObjective final : public Objective<Eigen::Dynamic, Eigen::Dynamic> {
 public:
  explicit DenseObjective(Eigen::MatrixXd columns, L loss = {})
      : columns_(std::move(columns)), loss_(loss) {}

  int n() const override { return static_cast<int>(columns_.rows()); }
  std::uint32_t samples() const override { return static_cast<std::uint32_t>(columns_.cols()); }

  double value(const Matrix& x) const override {
    double sum = 0;
    for (Eigen::Index j = 0; j < columns_.cols(); ++j) {
      for (Eigen::Index c = 0; c < x.cols(); ++c) {
        sum += loss_.value(x.col(c).dot(columns_.col(j)));
      }
    }
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

  /// The weight of a column b is the mean of those of its projections.
  bool weighted_moment(const Matrix& x, Eigen::MatrixXd& result) const override {
    Eigen::VectorXd weights = Eigen::VectorXd::Zero(columns_.cols());
    for (Eigen::Index j = 0; j < columns_.cols(); ++j) {
      for (Eigen::Index c = 0; c < x.cols(); ++c) {
        weights(j) +=
            weight_of(loss_, x.col(c).dot(columns_.col(j))) / static_cast<double>(x.cols());
      }
    }
    result = columns_ * weights.asDiagonal() * columns_.transpose();
    if (columns_.cols() > 0) result /= static_cast<double>(columns_.cols());
    return true;
  }

 private:
  void add_slope(const Matrix& x, Eigen::Index j, Matrix& sum) const {
    const auto b = columns_.col(j);
    for (Eigen::Index c = 0; c < x.cols(); ++c) sum.col(c) += loss_.slope(x.col(c).dot(b)) * b;
  }

  Eigen::MatrixXd columns_;
  L loss_;
};

}  // namespace roadplane
