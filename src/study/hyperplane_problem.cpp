#include "hyperplane_problem.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/objective/dense_objective.hpp"
#include "roadplane/objective/scaled_loss.hpp"

namespace roadplane {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Streams of RandomUse::user, told apart by the agent's place: agents come first.
enum Stream : std::uint32_t { kNormal = 1U << 20, kStart };

VectorXd gaussian(int n, CounterRandom& random) {
  return VectorXd::NullaryExpr(n, [&] { return random.normal(); });
}

double sine(const VectorXd& a, const VectorXd& b) {
  const VectorXd unit = b.normalized();
  return (a.normalized() - unit * unit.dot(a.normalized())).norm();
}

/// Coordinate 0 is the normal's; the reflection that takes it there spares a rotation of R^n.
MatrixXd make_points(const HyperplaneOptions& o, int agent, const VectorXd& normal) {
  CounterRandom random(o.seed, RandomUse::user, static_cast<std::uint32_t>(agent));
  const VectorXd mirror = (normal - VectorXd::Unit(o.n, 0)).normalized();
  MatrixXd points(o.n, o.samples_each);
  for (int j = 0; j < o.samples_each; ++j) {
    VectorXd b = gaussian(o.n, random);
    if (random.uniform() >= o.outliers) {
      b(0) *= o.noise;
      for (int i = 1; i < o.n; ++i) b(i) *= std::pow(o.condition, -0.5 * i / (o.n - 1));
    }
    b -= 2 * mirror * mirror.dot(b);
    points.col(j) = b * (std::sqrt(o.n) / b.norm());
  }
  return points;
}

/// Reweighted least squares with everybody's moments, until it rests.
VectorXd minimiser_of(const HyperplaneProblem& problem, VectorXd x) {
  constexpr int kMost = 300;
  constexpr double kRest = 1e-13;
  MatrixXd moment;
  for (int k = 0; k < kMost; ++k) {
    MatrixXd sum = MatrixXd::Zero(x.size(), x.size());
    for (const auto& objective : problem.objectives) {
      objective->weighted_moment(x, moment);
      sum += moment;
    }
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(sum);
    const VectorXd next = eigen.eigenvectors().col(0);
    const double moved = sine(next, x);
    x = next;
    if (moved < kRest) break;
  }
  return x;
}

}  // namespace

double HyperplaneProblem::error(const MatrixXd& x) const { return sine(x, minimiser); }

HyperplaneProblem make_hyperplane_problem(const HyperplaneOptions& o) {
  CounterRandom random(o.seed, RandomUse::user, kNormal);
  const VectorXd normal = gaussian(o.n, random).normalized();
  HyperplaneProblem problem;
  for (int i = 0; i < o.agents; ++i) {
    problem.objectives.push_back(std::make_unique<DenseObjective<ScaledLoss>>(
        make_points(o, i, normal), ScaledLoss{RobustLoss(), o.scale}));
  }
  const VectorXd minimiser = minimiser_of(problem, normal);
  problem.minimiser = minimiser;
  problem.off_rad = sine(normal, minimiser);
  CounterRandom start(o.seed, RandomUse::user, kStart);
  VectorXd aside = gaussian(o.n, start);
  aside -= minimiser * minimiser.dot(aside);
  problem.start = std::cos(o.start_rad) * minimiser + std::sin(o.start_rad) * aside.normalized();
  return problem;
}

}  // namespace roadplane
