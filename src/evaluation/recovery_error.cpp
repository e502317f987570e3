#include "roadplane/evaluation/recovery_error.hpp"

#include <Eigen/SVD>

namespace roadplane {

double recovery_error(const Eigen::Vector4d& w, const Eigen::Vector4d& truth) {
  // ||w - <w,t> t|| instead of sqrt(1 - <w,t>^2), which cannot tell 1e-9 from 0.
  const Eigen::Vector4d unit = w.normalized();
  const Eigen::Vector4d t = truth.normalized();
  return (unit - unit.dot(t) * t).norm();
}

double subspace_error(const Eigen::MatrixXd& x, const Eigen::MatrixXd& truth) {
  const Eigen::MatrixXd outside = x - truth * (truth.transpose() * x);
  return Eigen::JacobiSVD<Eigen::MatrixXd>(outside).singularValues()(0);
}

}  // namespace roadplane
