#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "roadplane/kernels/robust_loss.hpp"
#include "roadplane/network/channel.hpp"
#include "roadplane/solver/ledger.hpp"
#include "roadplane/solver/registry.hpp"
#include "roadplane/subspace/prepare.hpp"

namespace roadplane {

/// What is minimised over n x p matrices X with orthonormal columns.
enum class SubspaceObjective {
  pca,     ///< - mean ||X'd||^2 / 2: the directions in which the points spread most
  l3,      ///< - mean sum_c |x_c'd|^3 / 3: dual principal component pursuit of codimension p
  robust,  ///< mean loss of ||X'd||, the distance from the subspace that X is normal to
};

std::string_view to_string(SubspaceObjective objective);
/// Throws FieldError that lists the known names.
SubspaceObjective subspace_objective_from_string(std::string_view name);

struct SubspaceOptions {
  SubspaceObjective objective = SubspaceObjective::pca;
  int p = 1;
  bool whiten = false;    ///< solve in coordinates in which the points have the second moment I
  bool spectral = false;  ///< start at the directions of least spread, else at random
  std::optional<Eigen::MatrixXd> start;  ///< n x p, in place of either
  RobustLoss loss{};                     ///< of `robust`
  double scale = 0;           ///< of `robust`: the distance at which Tukey's loss gives a point up
  double step = 0;            ///< eta; 0 is automatic: what suits the curvature at the start
  double penalty = 0;         ///< beta of VRSGT and DESTINY; 0 is automatic: the curvature
  AnySolverOptions solver{};  ///< but for its step, penalty and tolerance
  double tolerance = 1e-9;    ///< on every agent's residual, relative to the curvature

  /// Throws FieldError naming the field; `n` is the points' dimension.
  void validate(int n) const;
};

struct SubspaceFit {
  std::vector<Eigen::MatrixXd> x;  ///< of the hosted agents: n x p, orthonormal columns
  SolveResult<Eigen::Dynamic, Eigen::Dynamic> solve;  ///< trace and all, in the problem's own units
  double curvature = 0;  ///< the largest of any agent's objective, at the start
  double step = 0;       ///< as used at first
};

/// Solves the problem of all agents' points together. Throws InputError, in all processes, where
/// the points do not determine it.
SubspaceFit find_subspace(Channel& channel, const SharedPoints& points,
                          const SubspaceOptions& options, Ledger& ledger);

}  // namespace roadplane
