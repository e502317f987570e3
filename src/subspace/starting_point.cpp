#include "starting_point.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <limits>
#include <string>

#include "agree.hpp"
#include "roadplane/base/counter_random.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/solver/stiefel.hpp"

namespace roadplane {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Eigens = Eigen::SelfAdjointEigenSolver<MatrixXd>;

/// An eigenvalue that gossip and rounding leave of one that is zero, relative to the largest.
constexpr double kZeroEigenvalue = 1e-11;

VectorXd lower_triangle(const MatrixXd& matrix) {
  VectorXd entries(matrix.rows() * (matrix.rows() + 1) / 2);
  Eigen::Index k = 0;
  for (Eigen::Index c = 0; c < matrix.cols(); ++c) {
    for (Eigen::Index r = c; r < matrix.rows(); ++r) entries(k++) = matrix(r, c);
  }
  return entries;
}

/// Only the lower triangle is filled: the eigensolver reads no more.
MatrixXd symmetric(const VectorXd& entries, Eigen::Index n) {
  MatrixXd matrix = MatrixXd::Zero(n, n);
  Eigen::Index k = 0;
  for (Eigen::Index c = 0; c < n; ++c) {
    for (Eigen::Index r = c; r < n; ++r) matrix(r, c) = entries(k++);
  }
  return matrix;
}

std::vector<VectorXd> agree_on_moment(Channel& channel, const SharedPoints& points) {
  const Eigen::Index n = points.n();
  return agree_on_mean_of<VectorXd>(channel, points, n * (n + 1) / 2, [](const MatrixXd& shard) {
    return lower_triangle(shard * shard.transpose());
  });
}

/// Directions that no point has a part of, as the agent that sees most of them counts.
int agree_on_empty_directions(Channel& channel, const std::vector<Eigens>& views) {
  Eigen::Index most = 0;
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (channel.gone(static_cast<int>(i))) continue;
    const VectorXd& values = views[i].eigenvalues();
    const double zero = kZeroEigenvalue * values(values.size() - 1);
    most = std::max<Eigen::Index>(most, (values.array() <= zero).count());
  }
  return static_cast<int>(channel.flood_max(static_cast<double>(most)));
}

MatrixXd whitening(const Eigens& moment) {
  return moment.eigenvectors() * moment.eigenvalues().cwiseSqrt().cwiseInverse().asDiagonal() *
         moment.eigenvectors().transpose();
}

/// The directions of least spread as agent 0 sees them; others' eigenvectors may differ in sign.
MatrixXd agree_on_least(Channel& channel, const Eigens* agent_0, Eigen::Index n, int p) {
  MatrixXd least = MatrixXd::Zero(n, p);
  if (agent_0 != nullptr) least = agent_0->eigenvectors().leftCols(p);
  broadcast_from(channel, 0, {least.data(), static_cast<std::size_t>(least.size())});
  return least;
}

MatrixXd random_start(int n, int p, std::uint64_t seed) {
  CounterRandom random(seed, RandomUse::user);
  MatrixXd gaussian(n, p);
  for (Eigen::Index k = 0; k < gaussian.size(); ++k) gaussian(k) = random.normal();
  const Eigen::HouseholderQR<MatrixXd> factors(gaussian);
  return factors.householderQ() * MatrixXd::Identity(n, p);
}

}  // namespace

MatrixXd orthonormal(MatrixXd x) {
  Stiefel<Eigen::Dynamic, Eigen::Dynamic>(static_cast<int>(x.rows()), static_cast<int>(x.cols()))
      .retract(x);
  return x;
}

StartingPoint agree_on_start(Channel& channel, const SharedPoints& points,
                             const SubspaceOptions& options, Ledger& ledger) {
  const int n = points.n();
  const std::uint64_t seed = std::visit([](const auto& o) { return o.seed; }, options.solver);
  const bool spectral = options.spectral && !options.start;
  StartingPoint start;
  if (options.start) start.x = orthonormal(*options.start);
  if (!options.start && !spectral) start.x = random_start(n, options.p, seed);
  if (!spectral && !options.whiten) return start;

  const std::vector<VectorXd> moments = agree_on_moment(channel, points);
  ledger.count_samples(points.largest_shard(channel.network().agents()));
  std::vector<Eigens> views;
  const bool first_is_here = channel.hosted().front() == 0;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    if (options.whiten || (i == 0 && first_is_here)) views.emplace_back(symmetric(moments[i], n));
  }
  if (spectral) {
    start.x = agree_on_least(channel, first_is_here ? &views.front() : nullptr, n, options.p);
  }
  if (!options.whiten) return start;
  const int empty = agree_on_empty_directions(channel, views);
  if (empty >= options.p) {
    start.x = agree_on_least(channel, first_is_here ? &views.front() : nullptr, n, options.p);
    start.solved = true;
  } else if (empty > 0) {
    throw InputError("points",
                     "a spread in all " + std::to_string(n) + " dimensions, to be whitened",
                     "none in " + std::to_string(empty) +
                         " of them (columns that are constant or depend on others)");
  }
  for (const Eigens& view : views) start.whiten.push_back(whitening(view));
  return start;
}

}  // namespace roadplane
