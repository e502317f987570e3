#pragma once

#include <Eigen/Core>
#include <string>

namespace roadplane {

/// What the second moment C = mean b b' of a homogeneous cloud says about the cloud: its principal
/// directions, the map that whitens it, and whether it holds a plane at all.
class Spectrum {
 public:
  /// `points` is the number of points that C was averaged over.
  Spectrum(const Eigen::Matrix4d& second_moment, double points);

  double points() const { return points_; }
  const Eigen::Matrix4d& moment() const { return moment_; }  ///< C

  /// Why no plane can be found (too few, identical or collinear points, ...); empty if one can.
  const std::string& degeneracy() const { return degeneracy_; }

  /// Whether the points lie on one plane to rounding error; smallest() is that plane then.
  bool exactly_planar() const { return exactly_planar_; }

  /// Eigenvector of the smallest eigenvalue: the least-squares hyperplane, oriented upwards.
  Eigen::Vector4d smallest() const;
  const Eigen::Vector4d& eigenvalues() const { return eigenvalues_; }  ///< ascending

  /// C^{-1/2}.
  Eigen::Matrix4d whitening() const;

 private:
  double points_;
  Eigen::Matrix4d moment_;
  Eigen::Vector4d eigenvalues_;
  Eigen::Matrix4d eigenvectors_;
  std::string degeneracy_;
  bool exactly_planar_ = false;
};

}  // namespace roadplane
