#pragma once

#include <Eigen/Core>
#include <utility>

#include "roadplane/objective/objective.hpp"

namespace roadplane {

/// A mean over the columns b of a dense n x l matrix, for any n and p. `Derived` says of one column
/// its value_of(x, b), weight_of_column(x, b) and what it adds to the gradient, add_slope(x, b,
/// sum); and, where it has_bowl(x), its curvature_of_column(x, b).
template <class Derived>
class ColumnObjective : public Objective<Eigen::Dynamic, Eigen::Dynamic> {
 public:
  explicit ColumnObjective(Eigen::MatrixXd columns) : columns_(std::move(columns)) {}

  int n() const override { return static_cast<int>(columns_.rows()); }
  std::uint32_t samples() const override { return static_cast<std::uint32_t>(columns_.cols()); }

  double value(const Matrix& x) const override {
    double sum = 0;
    for (const auto& b : columns_.colwise()) sum += derived().value_of(x, b);
    return columns_.cols() == 0 ? 0 : sum / static_cast<double>(columns_.cols());
  }

  void gradient(const Matrix& x, Matrix& result) const override {
    result.setZero();
    for (const auto& b : columns_.colwise()) derived().add_slope(x, b, result);
    if (columns_.cols() > 0) result /= static_cast<double>(columns_.cols());
  }

  void batch_gradient(const Matrix& x, Batch batch, Matrix& result) const override {
    result.setZero();
    for (const std::uint32_t j : batch) derived().add_slope(x, columns_.col(j), result);
    if (!batch.empty()) result /= static_cast<double>(batch.size());
  }

  bool weighted_moment(const Matrix& x, Eigen::MatrixXd& result) const override {
    result = weighted_mean([&](const auto& b) { return derived().weight_of_column(x, b); });
    return true;
  }

  bool bowl(const Matrix& x, Bowl& result) const override {
    if constexpr (requires { derived().curvature_of_column(x, columns_.col(0)); }) {
      if (!derived().has_bowl(x)) return false;
      weighted_moment(x, result.moment);
      result.curvature =
          weighted_mean([&](const auto& b) { return derived().curvature_of_column(x, b); });
      return true;
    }
    return false;
  }

 private:
  const Derived& derived() const { return static_cast<const Derived&>(*this); }

  /// The mean of weight(b) b b'.
  Eigen::MatrixXd weighted_mean(const auto& weight) const {
    Eigen::VectorXd weights(columns_.cols());
    for (Eigen::Index j = 0; j < columns_.cols(); ++j) weights(j) = weight(columns_.col(j));
    if (columns_.cols() > 0) weights /= static_cast<double>(columns_.cols());
    return columns_ * weights.asDiagonal() * columns_.transpose();
  }

  Eigen::MatrixXd columns_;
};

}  // namespace roadplane
