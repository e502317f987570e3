#include "roadplane/solver/projected_tracking.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace roadplane {

template <int N, int P>
ProjectedTracking<N, P>::ProjectedTracking(Channel& channel, Objectives<N, P> objectives,
                                           std::vector<Matrix> x_init, const SolverOptions& options)
    : Method<N, P>(channel, objectives, std::move(x_init), options.step),
      mixer_(channel, 2 * static_cast<int>(this->x_[0].size()), options.gossip, 2),
      q_(this->x_.size(), this->zero()),
      q_next_(this->zero()),
      x_previous_(this->zero()),
      tracked_(this->zero()) {
  for (Matrix& x : this->x_) this->stiefel_.retract(x);  // the methods live on the manifold
}

template <int N, int P>
void ProjectedTracking<N, P>::start(std::int64_t iteration) {
  mixer_.forget();
  for (int i = 0; i < this->hosted(); ++i) first_estimate(i, iteration, q_[i]);
  s_ = q_;
}

template <int N, int P>
void ProjectedTracking<N, P>::iterate(std::int64_t iteration) {
  auto& x = this->x_;
  const auto size = x[0].size();

  // x and s travel in one message.
  for (int i = 0; i < this->hosted(); ++i) {
    double* message = mixer_.outgoing(i);
    this->as_matrix(message) = x[i];
    this->as_matrix(message + size) = s_[i];
  }
  mixer_.mix();

  for (int i = 0; i < this->hosted(); ++i) {
    const double* mixed = std::as_const(mixer_).mixed(i);
    x_previous_ = x[i];
    // x+ = P_M(W x - alpha P_x(s))
    tracked_ = s_[i];
    this->stiefel_.project(x[i], tracked_);
    x[i] = this->as_matrix(mixed) - this->step_ * tracked_;
    this->stiefel_.retract(x[i]);
    this->residual_[i] = std::sqrt(tracked_.squaredNorm() + (x[i] - x_previous_).squaredNorm());
    // s+ = W s + q+ - q
    q_next_ = q_[i];
    next_estimate(i, iteration, x_previous_, q_next_);
    s_[i] = this->as_matrix(mixed + size) + q_next_ - q_[i];
    q_[i] = q_next_;
  }
}

template class ProjectedTracking<Eigen::Dynamic, Eigen::Dynamic>;
template class ProjectedTracking<4, 1>;

}  // namespace roadplane
