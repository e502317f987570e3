#include "roadplane/objective/pca_objective.hpp"

#include <utility>

namespace roadplane {

PcaObjective::PcaObjective(Eigen::MatrixXd columns)
    : columns_(std::move(columns)),
      moment_(Eigen::MatrixXd::Zero(columns_.rows(), columns_.rows())) {
  if (columns_.cols() == 0) return;
  moment_.selfadjointView<Eigen::Lower>().rankUpdate(columns_,
                                                     1.0 / static_cast<double>(columns_.cols()));
  moment_.triangularView<Eigen::StrictlyUpper>() = moment_.transpose();
}

double PcaObjective::value(const Matrix& x) const {
  double sum = 0;
  for (Eigen::Index c = 0; c < x.cols(); ++c) sum += x.col(c).dot(moment_ * x.col(c));
  return -sum / 2;
}

void PcaObjective::gradient(const Matrix& x, Matrix& result) const {
  result.noalias() = -moment_ * x;
}

bool PcaObjective::weighted_moment(const Matrix&, Eigen::MatrixXd& result) const {
  result = -moment_;
  return true;
}

bool PcaObjective::bowl(const Matrix&, Bowl& result) const {
  result.moment = result.curvature = -moment_;
  return true;
}

void PcaObjective::batch_gradient(const Matrix& x, Batch batch, Matrix& result) const {
  result.setZero();
  if (batch.empty()) return;
  const double weight = 1.0 / static_cast<double>(batch.size());
  for (const std::uint32_t j : batch) {
    const auto a = columns_.col(j);
    for (Eigen::Index c = 0; c < x.cols(); ++c) {
      result.col(c) -= weight * x.col(c).dot(a) * a;
    }
  }
}

}  // namespace roadplane
