#include "roadplane/dpcp/spectrum.hpp"

#include <Eigen/Eigenvalues>

#include "roadplane/geometry/upwards.hpp"

namespace roadplane {
namespace {

// Columns are floats of unit length: their rounding puts about 1e-15 into an eigenvalue that is
// zero in exact arithmetic.
constexpr double kZeroEigenvalue = 1e-13;

std::string explain(double points, const Eigen::Vector4d& ascending) {
  // Halves, because the count was itself averaged over a network.
  if (points < 0.5) return "no usable point";
  if (points < 2.5) return "fewer than 3 usable points";
  if (!ascending.allFinite()) return "the second moment is not finite";
  const double zero = kZeroEigenvalue * ascending(3);
  if (ascending(2) <= zero) return "all points are identical";
  if (ascending(1) <= zero) return "all points are collinear";
  return {};
}

}  // namespace

Spectrum::Spectrum(const Eigen::Matrix4d& second_moment, double points)
    : points_(points), moment_(second_moment) {
  if (second_moment.allFinite()) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(second_moment);
    eigenvalues_ = solver.eigenvalues().cwiseMax(0);
    eigenvectors_ = solver.eigenvectors();
  } else {
    eigenvalues_.setConstant(NAN);
    eigenvectors_.setIdentity();
  }
  degeneracy_ = explain(points, eigenvalues_);
  exactly_planar_ = degeneracy_.empty() && eigenvalues_(0) <= kZeroEigenvalue * eigenvalues_(3);
}

Eigen::Vector4d Spectrum::smallest() const { return upwards(eigenvectors_.col(0)); }

Eigen::Matrix4d Spectrum::whitening() const {
  return eigenvectors_ * eigenvalues_.cwiseSqrt().cwiseInverse().asDiagonal() *
         eigenvectors_.transpose();
}

}  // namespace roadplane
