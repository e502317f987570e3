#pragma once

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <memory>
#include <span>
#include <vector>

#include "roadplane/objective/dense_objective.hpp"
#include "support/pca_loss.hpp"
#include "support/random_data.hpp"

namespace roadplane::test {

/// Decentralised PCA with shards that differ in their spectra and a clear gap after p directions.
struct PcaProblem {
  static constexpr int kN = 20;
  static constexpr int kP = 3;

  explicit PcaProblem(int agents, int samples_each = 100) {
    Eigen::MatrixXd moment = Eigen::MatrixXd::Zero(kN, kN);
    for (int i = 0; i < agents; ++i) {
      Eigen::MatrixXd shard = random_matrix(kN, samples_each, 100 + i);
      for (int r = 0; r < kN; ++r) {
        shard.row(r) *= r < kP ? 1.0 : 0.3 * std::pow(0.95, r) * (1 + 0.05 * ((r + i) % 3));
      }
      moment += shard * shard.transpose() / (samples_each * agents);
      objectives.push_back(std::make_unique<DenseObjective<PcaLoss>>(shard));
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(moment);
    principal = solver.eigenvectors().rightCols(kP);
    // Far from the solution, yet not orthogonal to it; exactly feasible.
    start = Eigen::MatrixXd::Zero(kN, kP);
    for (int c = 0; c < kP; ++c) start(c, c) = start(c + kP, c) = std::sqrt(0.5);
  }

  std::vector<std::unique_ptr<Objective<Eigen::Dynamic, Eigen::Dynamic>>> objectives;
  Eigen::MatrixXd principal;  ///< orthonormal basis of the leading subspace
  Eigen::MatrixXd start;
};

inline Eigen::MatrixXd mean(std::span<const Eigen::MatrixXd> all) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(all[0].rows(), all[0].cols());
  for (const auto& x : all) sum += x / static_cast<double>(all.size());
  return sum;
}

}  // namespace roadplane::test
