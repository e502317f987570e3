#pragma once

#include "roadplane/baseline/result.hpp"
#include "roadplane/geometry/homogeneous_cloud.hpp"

namespace roadplane {

struct PsgmOptions {
  double first_step = 1e-2;           ///< mu_0, for the sum (not the mean) over the points
  double last_step = 1e-9;            ///< the search ends when the step would get shorter
  double shrink = 0.5;                ///< of a step that does not lower the objective enough
  double sufficient_decrease = 1e-3;  ///< enough: this times step times squared subgradient
  int max_iterations = 1000;

  /// Throws InputError naming the bad field and its range.
  void validate() const;
};

/// DPCP-PSGM: dual principal component pursuit, min sum_j |w'b_j| over the sphere, by the projected
/// subgradient method with a modified backtracking line search (Zhu, Wang, Robinson, Naiman, Vidal
/// & Tsakiris, "Dual Principal Component Pursuit: Improved Analysis and Efficient Algorithms",
/// NeurIPS 2018) from the smallest eigenvector. An iteration is an accepted step.
BaselineResult fit_psgm(const HomogeneousCloud& cloud, const PsgmOptions& options = {});

}  // namespace roadplane
