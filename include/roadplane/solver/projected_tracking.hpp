#pragma once

#include "roadplane/network/mixer.hpp"
#include "roadplane/solver/method.hpp"

namespace roadplane {

/// What the projected methods with gradient tracking have in common: a step is a projection onto
/// the manifold of the mixed iterates, less the tracked direction,
///     x+ = P_M(W x - alpha P_x(s)),   s+ = W s + q+ - q,
/// with q_i the agent's estimate of its own Riemannian gradient. They differ in q.
template <int N, int P>
class ProjectedTracking : public Method<N, P> {
 public:
  using typename Method<N, P>::Matrix;

  void iterate(std::int64_t iteration) override;

  /// q_i and s_i; at every iteration mean_i s_i = mean_i q_i.
  std::span<const Matrix> estimates() const { return q_; }
  std::span<const Matrix> trackers() const { return s_; }

 protected:
  ProjectedTracking(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
                    const SolverOptions& options);

  /// q of agent `row` at its start x_[row], before any iteration or after `iteration` of them.
  virtual void first_estimate(int row, std::int64_t iteration, Matrix& q) = 0;
  /// q+ from q, after the agent's `iteration`-th move from `previous` to x_[row].
  virtual void next_estimate(int row, std::int64_t iteration, const Matrix& previous,
                             Matrix& q) = 0;
  void start(std::int64_t iteration) override;  ///< also for the constructor of a method

 private:
  Traffic iteration_traffic() const override { return mixer_.traffic(); }

  Mixer mixer_;
  std::vector<Matrix> q_;
  std::vector<Matrix> s_;
  Matrix q_next_;
  Matrix x_previous_;
  Matrix tracked_;
};

}  // namespace roadplane
