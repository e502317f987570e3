#pragma once

#include <Eigen/Core>
#include <string>

#include "roadplane/geometry/homogeneous_cloud.hpp"

namespace roadplane {

struct IrlsOptions {
  double residual_floor = 1e-9;  ///< [sine] weights are 1/max(|w'b|, this)
  double tolerance = 1e-7;       ///< ends when the objective falls by less than this share of it
  int max_iterations = 200;

  /// Throws InputError naming the bad field and its range.
  void validate() const;
};

/// The plane of a cloud whose points somebody sees all at once.
struct LeastAbsolute {
  Eigen::Vector4d w = Eigen::Vector4d::Zero();  ///< unit, upwards; zero if there is no plane
  int iterations = 0;
  std::string degeneracy;  ///< why there is no plane; empty if there is one
};

/// DPCP-IRLS: dual principal component pursuit, min sum_j |w'b_j| over the sphere, by iteratively
/// reweighted least squares (Tsakiris & Vidal, "Dual Principal Component Pursuit", JMLR 2018,
/// Algorithm 4): w is the smallest eigenvector of sum_j b_j b_j' / |w'b_j| with the former w.
/// Centralised: no agent calls it. References are made with it, and it is a baseline.
LeastAbsolute least_absolute_plane(const HomogeneousCloud& cloud, const IrlsOptions& options = {});

}  // namespace roadplane
