#pragma once

#include <Eigen/Core>

namespace roadplane {

/// sqrt(1 - <w, w*>^2) of two directions: the sine of their angle, whatever their signs and
/// lengths.
double recovery_error(const Eigen::Vector4d& w, const Eigen::Vector4d& truth);

/// The same for subspaces: the sine of the largest principal angle between the ranges of two
/// matrices with orthonormal columns.
double subspace_error(const Eigen::MatrixXd& x, const Eigen::MatrixXd& truth);

}  // namespace roadplane
