#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <vector>

#include "roadplane/objective/objective.hpp"

namespace roadplane {

/// Generated data of dual principal component pursuit: points near a random hyperplane of R^n among
/// points anywhere, all scaled to length sqrt(n), so that a projection of an outlier is about 1.
struct HyperplaneOptions {
  int n = 32;
  int agents = 16;
  int samples_each = 512;  ///< l
  double outliers = 0.3;   ///< share of points that lie anywhere
  double noise = 0.02;     ///< of the others, off the hyperplane
  double condition = 4;    ///< largest over smallest variance within the hyperplane
  double scale = 1;        ///< of Tukey's loss
  double start_rad = 0.3;  ///< [rad] of the start from the minimiser
  std::uint64_t seed = 1;
};

/// The robust loss of projections onto one direction, a part of it for each agent.
struct HyperplaneProblem {
  std::vector<std::unique_ptr<Objective<Eigen::Dynamic, Eigen::Dynamic>>> objectives;
  Eigen::MatrixXd minimiser;  ///< of their mean, to rounding
  Eigen::MatrixXd start;      ///< the same for every agent
  double off_rad = 0;         ///< [rad] of the minimiser from the hyperplane that was drawn

  /// [rad] the sine of the angle between a direction of any length and the minimiser.
  double error(const Eigen::MatrixXd& x) const;
};
HyperplaneProblem make_hyperplane_problem(const HyperplaneOptions& options);

}  // namespace roadplane
