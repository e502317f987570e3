#pragma once

#include "roadplane/baseline/result.hpp"
#include "roadplane/geometry/homogeneous_cloud.hpp"

namespace roadplane {

/// Total least squares (Golub & Van Loan, "An Analysis of the Total Least Squares Problem", SIAM
/// J. Numer. Anal. 1980): the eigenvector of the smallest eigenvalue of sum b b', which is the left
/// singular vector of the smallest singular value of the cloud. Every point pulls, outliers most.
BaselineResult fit_svd(const HomogeneousCloud& cloud);

}  // namespace roadplane
