#pragma once

#include <Eigen/Core>

#include "roadplane/objective/objective.hpp"

namespace roadplane {

/// Principal component analysis of the columns a_j of an n x l matrix: f(X) = -1/(2l) sum_j
/// ||X'a_j||^2. The same function as DenseObjective<PcaLoss>, made for many full gradients of many
/// columns: those are taken from the second moment A A'/l, which is computed once, and cost n^2 p
/// in place of n l p.
class PcaObjective final : public Objective<Eigen::Dynamic, Eigen::Dynamic> {
 public:
  explicit PcaObjective(Eigen::MatrixXd columns);

  int n() const override { return static_cast<int>(columns_.rows()); }
  std::uint32_t samples() const override { return static_cast<std::uint32_t>(columns_.cols()); }

  double value(const Matrix& x) const override;
  void gradient(const Matrix& x, Matrix& result) const override;
  void batch_gradient(const Matrix& x, Batch batch, Matrix& result) const override;
  bool weighted_moment(const Matrix& x, Eigen::MatrixXd& result) const override;
  bool bowl(const Matrix& x, Bowl& result) const override;

 private:
  Eigen::MatrixXd columns_;
  Eigen::MatrixXd moment_;  ///< A A'/l
};

}  // namespace roadplane
