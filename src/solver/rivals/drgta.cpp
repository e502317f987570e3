#include "roadplane/solver/rivals/drgta.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "roadplane/base/field_error.hpp"

namespace roadplane {

void DrgtaOptions::validate() const {
  SolverOptions::validate();
  require(consensus_step > 0 && consensus_step <= 1, "consensus_step", "a number in (0, 1]",
          consensus_step);
}

template <int N, int P>
Drgta<N, P>::Drgta(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
                   const DrgtaOptions& options)
    : Method<N, P>(channel, objectives, std::move(x_init), options.step),
      options_(options),
      mixer_(channel, 2 * static_cast<int>(this->x_[0].size()), options.gossip, 2),
      g_(this->x_.size(), this->zero()),
      g_next_(this->zero()),
      update_(this->zero()),
      tracked_(this->zero()) {
  options.validate();
  for (int i = 0; i < this->hosted(); ++i) {
    this->stiefel_.retract(this->x_[i]);
  }
  Drgta::start(options.first_iteration - 1);
}

template <int N, int P>
void Drgta<N, P>::start(std::int64_t) {
  mixer_.forget();
  for (int i = 0; i < this->hosted(); ++i) this->riemannian_gradient(i, g_[i]);
  s_ = g_;
}

template <int N, int P>
void Drgta<N, P>::iterate(std::int64_t iteration) {
  auto& x = this->x_;
  const auto size = x[0].size();
  const double step = scheduled_step(this->step_, options_.schedule, iteration);

  // x and s travel in one message.
  for (int i = 0; i < this->hosted(); ++i) {
    double* message = mixer_.outgoing(i);
    this->as_matrix(message) = x[i];
    this->as_matrix(message + size) = s_[i];
  }
  mixer_.mix();

  for (int i = 0; i < this->hosted(); ++i) {
    const double* mixed = std::as_const(mixer_).mixed(i);
    // x+ = R_x(alpha P_x(W^t x - x) - beta P_x(s))
    update_ = options_.consensus_step * (this->as_matrix(mixed) - x[i]);
    update_ -= step * s_[i];
    this->stiefel_.project(x[i], update_);  // P_x is linear
    tracked_ = s_[i];
    this->stiefel_.project(x[i], tracked_);
    this->residual_[i] = std::sqrt(tracked_.squaredNorm() + update_.squaredNorm());
    x[i] += update_;
    this->stiefel_.retract(x[i]);
    // s+ = W^t s + g+ - g
    this->riemannian_gradient(i, g_next_);
    s_[i] = this->as_matrix(mixed + size) + g_next_ - g_[i];
    g_[i] = g_next_;
  }
}

template class Drgta<Eigen::Dynamic, Eigen::Dynamic>;
template class Drgta<4, 1>;

}  // namespace roadplane
