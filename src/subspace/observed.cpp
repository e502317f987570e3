#include "observed.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "roadplane/evaluation/recovery_error.hpp"
#include "starting_point.hpp"

namespace roadplane {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A matrix of every agent's, by agent number.
std::vector<MatrixXd> observe_all(const Channel& channel, const std::vector<MatrixXd>& hosted) {
  const Eigen::Index size = hosted.front().size();
  std::vector<double> rows(hosted.size() * static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < hosted.size(); ++i) {
    std::copy_n(hosted[i].data(), size, &rows[i * static_cast<std::size_t>(size)]);
  }
  const int agents = channel.network().agents();
  std::vector<double> all(static_cast<std::size_t>(agents * size));
  channel.observe(rows, static_cast<int>(size), all);
  std::vector<MatrixXd> matrices;
  for (int i = 0; i < agents; ++i) {
    matrices.emplace_back(Eigen::Map<const MatrixXd>(&all[static_cast<std::size_t>(i * size)],
                                                     hosted.front().rows(), hosted.front().cols()));
  }
  return matrices;
}

/// The mean over all points of what `sum` gives for each shard. Agents are added in their order, so
/// that it does not matter who hosts whom.
template <class Sum>
MatrixXd observe_mean(const Channel& channel, const SharedPoints& points, const Sum& sum) {
  std::vector<MatrixXd> own;
  for (const MatrixXd& shard : points.shards) own.push_back(sum(shard));
  const std::vector<MatrixXd> all = observe_all(channel, own);
  MatrixXd total = MatrixXd::Zero(all.front().rows(), all.front().cols());
  for (const MatrixXd& one : all) total += one;
  return total / static_cast<double>(points.points);
}

/// The components in the range of x, largest first.
MatrixXd as_components(const Channel& channel, const SharedPoints& points, const MatrixXd& x) {
  const MatrixXd moment = observe_mean(channel, points, [&](const MatrixXd& shard) {
    const MatrixXd y = x.transpose() * shard;
    return MatrixXd(y * y.transpose());
  });
  const Eigen::SelfAdjointEigenSolver<MatrixXd> within(moment);
  return x * within.eigenvectors().rowwise().reverse();
}

/// By one who sees all points, which takes n^2 numbers of every agent.
void compare_with_exact(const Channel& channel, const SharedPoints& points, Solved& solved) {
  constexpr int kMost = 2000;  // coordinates
  if (points.n() > kMost) return;
  const MatrixXd moment = observe_mean(
      channel, points, [](const MatrixXd& shard) { return MatrixXd(shard * shard.transpose()); });
  const Eigen::SelfAdjointEigenSolver<MatrixXd> exact(moment);
  const VectorXd largest = exact.eigenvalues().tail(solved.x.cols()).reverse();
  solved.record.exact_eigenvalues.assign(largest.begin(), largest.end());
  solved.record.exact_subspace_error =
      subspace_error(solved.x, exact.eigenvectors().rightCols(solved.x.cols()));
}

/// Columns by mean |x'd|, least first.
MatrixXd by_mean_abs(const MatrixXd& x, const VectorXd& mean_abs) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(x.cols()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Eigen::Index a, Eigen::Index b) { return mean_abs(a) < mean_abs(b); });
  return x(Eigen::all, order);
}

/// p x 2: mean |x'd| and mean (x'd)^2.
MatrixXd observe_columns(const Channel& channel, const SharedPoints& points, const MatrixXd& x) {
  return observe_mean(channel, points, [&](const MatrixXd& shard) {
    const MatrixXd y = x.transpose() * shard;
    MatrixXd sums(x.cols(), 2);
    sums << y.cwiseAbs().rowwise().sum(), y.rowwise().squaredNorm();
    return sums;
  });
}

/// Points that a robust loss of that scale counts.
std::size_t observe_within(const Channel& channel, const SharedPoints& points, const MatrixXd& x,
                           double scale) {
  const MatrixXd share = observe_mean(channel, points, [&](const MatrixXd& shard) {
    const auto near = ((x.transpose() * shard).colwise().norm().array() < scale).count();
    return MatrixXd(MatrixXd::Constant(1, 1, static_cast<double>(near)));
  });
  return static_cast<std::size_t>(std::llround(share(0) * static_cast<double>(points.points)));
}

/// A basis has no signs of its own: the largest entry of every column is made positive.
void fix_signs(MatrixXd& x) {
  for (auto column : x.colwise()) {
    Eigen::Index largest = 0;
    column.cwiseAbs().maxCoeff(&largest);
    if (column(largest) < 0) column *= -1;
  }
}

void compare_with_truth(Solved& solved, const std::vector<MatrixXd>& agents,
                        const MatrixXd& truth) {
  solved.record.subspace_error = subspace_error(solved.x.leftCols(truth.cols()), truth);
  if (truth.cols() < solved.x.cols()) return;  // of an agent's, nobody has ordered the columns
  double worst = 0;
  for (const MatrixXd& x : agents) worst = std::max(worst, subspace_error(x, truth));
  solved.record.subspace_error_worst_agent = worst;
  for (const TraceEntry& entry : solved.trace) {
    solved.trace_errors.push_back(subspace_error(entry.mean, truth));
  }
}

SolveRecord record_of(const SubspaceFit& fit, const SharedPoints& points, const Graph& graph) {
  SolveRecord record;
  record.points = points.points;
  record.n = points.n();
  record.p = static_cast<int>(fit.x.front().cols());
  record.termination = fit.solve.termination;
  record.iterations = fit.solve.iterations;
  record.step_halvings = fit.solve.step_halvings;
  record.curvature = fit.curvature;
  record.step = fit.step;
  record.traffic = fit.solve.traffic;
  record.messages = fit.solve.traffic.messages(graph);
  record.bytes_per_agent = fit.solve.traffic.bytes_per_agent(graph);
  record.samples = fit.solve.samples;
  record.seconds = fit.solve.seconds;
  if (!fit.solve.trace.empty()) {
    record.gap = fit.solve.trace.back().gap;
    record.objective = fit.solve.trace.back().objective;
  }
  return record;
}

}  // namespace

Solved observe_result(const Channel& channel, const SharedPoints& points, SubspaceFit fit,
                      const SolvePlan& plan) {
  Solved solved{record_of(fit, points, plan.network.graph), {}, std::move(fit.solve.trace), {}};
  const std::vector<MatrixXd> agents = observe_all(channel, fit.x);
  MatrixXd mean = MatrixXd::Zero(points.n(), solved.record.p);
  for (const MatrixXd& x : agents) mean += x / static_cast<double>(agents.size());
  for (const MatrixXd& x : agents) {
    solved.record.consensus_error = std::max(solved.record.consensus_error, (x - mean).norm());
  }
  solved.x = orthonormal(mean);
  if (plan.subspace.objective == SubspaceObjective::pca) {
    solved.x = as_components(channel, points, solved.x);
    compare_with_exact(channel, points, solved);
  } else {
    solved.x = by_mean_abs(solved.x, observe_columns(channel, points, solved.x).col(0));
  }
  if (plan.subspace.objective == SubspaceObjective::robust) {
    solved.record.within_scale = observe_within(channel, points, solved.x, plan.subspace.scale);
  }
  fix_signs(solved.x);
  const MatrixXd columns = observe_columns(channel, points, solved.x);
  for (Eigen::Index c = 0; c < columns.rows(); ++c) {
    solved.record.columns.push_back({columns(c, 0), columns(c, 1)});
  }
  if (plan.truth) compare_with_truth(solved, agents, *plan.truth);
  return solved;
}

}  // namespace roadplane
