#pragma once

#include <Eigen/Core>
#include <utility>

#include "roadplane/objective/column_objective.hpp"
#include "roadplane/objective/loss.hpp"

namespace roadplane {

/// A loss over the columns of a dense n x l matrix, for any n and p.
template <Loss L>
class DenseObjective final : public ColumnObjective<DenseObjective<L>> {
 public:
  using typename Objective<Eigen::Dynamic, Eigen::Dynamic>::Matrix;

  explicit DenseObjective(Eigen::MatrixXd columns, L loss = {})
      : ColumnObjective<DenseObjective<L>>(std::move(columns)), loss_(loss) {}

 private:
  friend ColumnObjective<DenseObjective<L>>;

  double value_of(const Matrix& x, const auto& b) const {
    double sum = 0;
    for (const auto& column : x.colwise()) sum += loss_.value(column.dot(b));
    return sum;
  }
  /// The mean of those of its projections.
  double weight_of_column(const Matrix& x, const auto& b) const {
    double weight = 0;
    for (const auto& column : x.colwise()) {
      weight += weight_of(loss_, column.dot(b)) / static_cast<double>(x.cols());
    }
    return weight;
  }
  bool has_bowl(const Matrix& x) const {
    return x.cols() == 1 || requires { L::kOfSpan; };
  }
  double curvature_of_column(const Matrix& x, const auto& b) const requires CurvedLoss<L> {
    double curvature = 0;
    for (const auto& column : x.colwise()) {
      curvature += loss_.curvature(column.dot(b)) / static_cast<double>(x.cols());
    }
    return curvature;
  }
  void add_slope(const Matrix& x, const auto& b, Matrix& sum) const {
    for (Eigen::Index c = 0; c < x.cols(); ++c) sum.col(c) += loss_.slope(x.col(c).dot(b)) * b;
  }

  L loss_;
};

}  // namespace roadplane
