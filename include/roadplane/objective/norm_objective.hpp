#pragma once

#include <Eigen/Core>
#include <utility>

#include "roadplane/objective/column_objective.hpp"
#include "roadplane/objective/loss.hpp"

namespace roadplane {

/// A loss of the lengths ||X'b|| over the columns b of a dense n x l matrix: of a column's distance
/// from the subspace that X is normal to, whatever basis X is.
template <Loss L>
class NormObjective final : public ColumnObjective<NormObjective<L>> {
 public:
  using typename Objective<Eigen::Dynamic, Eigen::Dynamic>::Matrix;

  explicit NormObjective(Eigen::MatrixXd columns, L loss = {})
      : ColumnObjective<NormObjective<L>>(std::move(columns)), loss_(loss) {}

 private:
  friend ColumnObjective<NormObjective<L>>;

  double value_of(const Matrix& x, const auto& b) const {
    return loss_.value((x.transpose() * b).norm());
  }
  double weight_of_column(const Matrix& x, const auto& b) const {
    return weight_of(loss_, (x.transpose() * b).norm());
  }
  bool has_bowl(const Matrix&) const { return true; }
  /// Along y = X'b the loss bends, across it the weight holds.
  double curvature_of_column(const Matrix& x, const auto& b) const requires CurvedLoss<L> {
    const double length = (x.transpose() * b).norm();
    const auto p = static_cast<double>(x.cols());
    return (loss_.curvature(length) + (p - 1) * weight_of(loss_, length)) / p;
  }
  void add_slope(const Matrix& x, const auto& b, Matrix& sum) const {
    const Eigen::VectorXd y = x.transpose() * b;
    sum.noalias() += b * (weight_of(loss_, y.norm()) * y).transpose();
  }

  L loss_;
};

}  // namespace roadplane
