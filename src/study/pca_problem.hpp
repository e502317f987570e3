#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <vector>

#include "idx_file.hpp"
#include "roadplane/objective/objective.hpp"

namespace roadplane {

/// Principal component analysis of columns that are divided among agents. Solves may share it, also
/// at the same time.
struct PcaProblem {
  std::vector<std::unique_ptr<Objective<Eigen::Dynamic, Eigen::Dynamic>>> objectives;  ///< one each
  Eigen::MatrixXd start;  ///< n x p, orthonormal, random

  std::size_t samples_each() const;  ///< l, the largest shard's
};

/// The paper's synthetic matrix A = U Sigma V', Sigma_ii = decay^(i/2), U and V random with
/// orthonormal columns, here scaled so that the second moment A A'/m has the eigenvalues
/// scale * decay^i.
struct SpectrumOptions {
  int n = 200;
  int p = 10;
  int agents = 32;
  int samples_each = 2000;  ///< l; m = agents * l columns
  double decay = 0.9;       ///< xi
  double scale = 1;
  std::uint64_t seed = 1;
};
PcaProblem make_spectrum_problem(const SpectrumOptions& options);

/// Pictures as columns of grey values from 0 to 1, in equal shares in their order.
PcaProblem make_image_problem(const IdxImages& images, int agents, int p, std::uint64_t seed);

}  // namespace roadplane
