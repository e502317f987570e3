#pragma once

#include <Eigen/Core>

#include "roadplane/objective/objective.hpp"

namespace roadplane {

/// A safeguarded step of Newton's down f from an X with orthonormal columns, along the tangent
/// space there and across the span of X, in which the objectives that have a bowl do not change;
/// `slope` is f's gradient at X. In every direction the curvature counts as no less than a fifth of
/// the weighted moment's, and no more than all of it: less is where the loss bends down on the way
/// to its minimum, more cannot be. So a step is at most five times as long as one of reweighted
/// least squares, and it leads away from saddles.
template <int N, int P>
Eigen::Matrix<double, N, P> newton_step(const Eigen::Matrix<double, N, P>& x, const Bowl& bowl,
                                        const Eigen::Matrix<double, N, P>& slope);

}  // namespace roadplane
