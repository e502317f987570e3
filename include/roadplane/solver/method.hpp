#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "roadplane/network/channel.hpp"
#include "roadplane/objective/objective.hpp"
#include "roadplane/solver/ledger.hpp"
#include "roadplane/solver/options.hpp"
#include "roadplane/solver/result.hpp"
#include "roadplane/solver/stiefel.hpp"

namespace roadplane {

/// A decentralised method: the state of the hosted agents and how an iteration changes it. A solver
/// is a class derived from this one; run() does the rest (budgets, checks, trace).
template <int N, int P>
class Method {
 public:
  using Matrix = typename Objective<N, P>::Matrix;

  virtual ~Method() = default;

  /// Iteration 1, 2, ... of all hosted agents.
  virtual void iterate(std::int64_t iteration) = 0;
  /// What that iteration takes; where links fail, what it is expected to.
  Expense expense_of(std::int64_t iteration) const {
    return {iteration_traffic(), iteration_samples(iteration)};
  }
  /// Samples that a start takes, the first one or one after a halved step.
  virtual std::int64_t start_samples() const = 0;
  /// What it took to make the method.
  Expense making() const { return {making_traffic_, start_samples()}; }
  /// What agent `row` itself can tell of its distance from a solution; 0 at a stationary consensus.
  virtual double residual(int row) const { return residual_[row]; }
  /// Goes on from the iterates `x`, which were good after `iteration`, with half the step.
  void restart(std::span<const Matrix> x, std::int64_t iteration);
  /// What is kept beside the iterates is made anew: an agent that has left took its part with it.
  void renew(std::int64_t iteration) { start(iteration); }
  /// What the hosted agents keep beside the iterates that is worth something to a solve of nearly
  /// the same functions, ...
  virtual std::vector<Matrix> kept() const { return {}; }
  /// ... which takes it before its first iteration, made with the same options; if empty, does not.
  virtual void go_on_with(std::span<const Matrix> kept) { static_cast<void>(kept); }

  std::span<const Matrix> iterates() const { return x_; }
  Channel& channel() const { return channel_; }
  Objectives<N, P> objectives() const { return objectives_; }

 protected:
  /// `x_init`: where each hosted agent starts.
  Method(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init, double step);

  /// What a method keeps beside the iterates, made anew from those after `iteration`.
  virtual void start(std::int64_t iteration) = 0;
  virtual Traffic iteration_traffic() const = 0;
  virtual std::int64_t iteration_samples(std::int64_t iteration) const = 0;

  Matrix zero() const { return Matrix::Zero(x_[0].rows(), x_[0].cols()); }
  int hosted() const { return static_cast<int>(x_.size()); }
  /// An agent's row of a message table, seen as a matrix.
  auto as_matrix(double* values) const {
    return Eigen::Map<Matrix>(values, x_[0].rows(), x_[0].cols());
  }
  auto as_matrix(const double* values) const {
    return Eigen::Map<const Matrix>(values, x_[0].rows(), x_[0].cols());
  }

  /// What everybody's full gradient counts for: the samples of the largest shard.
  std::int64_t full_pass() const { return most_samples_; }

  /// The Riemannian gradient of agent `row`'s own function at its iterate.
  void riemannian_gradient(int row, Matrix& result) {
    objectives_[row]->gradient(x_[row], result);
    stiefel_.project(x_[row], result);
  }

  Channel& channel_;
  Objectives<N, P> objectives_;
  std::vector<Matrix> x_;
  double step_;
  std::vector<double> residual_;  ///< per hosted agent
  Stiefel<N, P> stiefel_;
  std::int64_t most_samples_;  ///< the largest shard of all agents

 private:
  Traffic making_traffic_;
};

/// Iterates until a stop of `options` applies. Divergence (a non-finite value, or leaving the safe
/// region by far) halves the step and goes on from the last good iterates as often as the options
/// allow, then ends with those. Agents check for it, and for convergence, after equal rounds
/// whatever the method: a check is a flood.
/// What it spends, it adds to the ledger, whose limits are those of the options.
template <int N, int P>
SolveResult<N, P> run(Method<N, P>& method, const SolverOptions& options, Ledger& ledger);

/// The common case, all agents from one start: solve<Vrsgt>(channel, objectives, x_init, options).
template <template <int, int> class Solver, int N, int P>
SolveResult<N, P> solve(Channel& channel, std::type_identity_t<Objectives<N, P>> objectives,
                        const Eigen::Matrix<double, N, P>& x_init,
                        const typename Solver<N, P>::Options& options) {
  Ledger ledger(channel);
  Solver<N, P> method(channel, objectives, std::vector(objectives.size(), x_init), options);
  return run(method, options, ledger);
}

}  // namespace roadplane
