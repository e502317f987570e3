#include "pca_problem.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/objective/pca_objective.hpp"

namespace roadplane {
namespace {

using Eigen::MatrixXd;

/// Streams of RandomUse::user, told apart by the agent's place.
enum Stream : std::uint32_t { kLeft, kRight, kStart };

MatrixXd gaussian(int rows, int columns, std::uint64_t seed, Stream stream) {
  CounterRandom random(seed, RandomUse::user, stream);
  MatrixXd matrix(rows, columns);
  for (Eigen::Index k = 0; k < matrix.size(); ++k) matrix(k) = random.normal();
  return matrix;
}

/// A random orthonormal basis. Tall Gaussian matrices are well conditioned, so that Cholesky's
/// factor of the Gram matrix does, which is quick.
MatrixXd orthonormal(int rows, int columns, std::uint64_t seed, Stream stream) {
  MatrixXd basis = gaussian(rows, columns, seed, stream);
  if (rows < 4 * columns) {
    const Eigen::HouseholderQR<MatrixXd> factors(basis);
    return factors.householderQ() * MatrixXd::Identity(rows, columns);
  }
  const Eigen::LLT<MatrixXd> gram(basis.transpose() * basis);
  gram.matrixU().solveInPlace<Eigen::OnTheRight>(basis);
  return basis;
}

}  // namespace

std::size_t PcaProblem::samples_each() const {
  std::size_t most = 0;
  for (const auto& objective : objectives) most = std::max<std::size_t>(most, objective->samples());
  return most;
}

PcaProblem make_spectrum_problem(const SpectrumOptions& o) {
  const int m = o.agents * o.samples_each;
  const MatrixXd u = orthonormal(o.n, o.n, o.seed, kLeft);
  MatrixXd v = orthonormal(m, o.n, o.seed, kRight);
  for (int i = 0; i < o.n; ++i) v.col(i) *= std::sqrt(o.scale * m * std::pow(o.decay, i + 1));
  PcaProblem problem;
  for (int i = 0; i < o.agents; ++i) {
    const auto rows = v.middleRows(static_cast<Eigen::Index>(i) * o.samples_each, o.samples_each);
    problem.objectives.push_back(std::make_unique<PcaObjective>(u * rows.transpose()));
  }
  problem.start = orthonormal(o.n, o.p, o.seed, kStart);
  return problem;
}

PcaProblem make_image_problem(const IdxImages& images, int agents, int p, std::uint64_t seed) {
  const auto n = static_cast<Eigen::Index>(images.pixels_each());
  PcaProblem problem;
  for (int i = 0; i < agents; ++i) {
    const std::size_t begin = images.count * i / agents;
    const std::size_t end = images.count * (i + 1) / agents;
    MatrixXd columns(n, static_cast<Eigen::Index>(end - begin));
    for (std::size_t j = begin; j < end; ++j) {
      const auto pixels = images.image(j);
      for (Eigen::Index k = 0; k < n; ++k) {
        columns(k, static_cast<Eigen::Index>(j - begin)) =
            pixels[static_cast<std::size_t>(k)] / 255.0;
      }
    }
    problem.objectives.push_back(std::make_unique<PcaObjective>(std::move(columns)));
  }
  problem.start = orthonormal(static_cast<int>(n), p, seed, kStart);
  return problem;
}

}  // namespace roadplane
