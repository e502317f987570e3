#include "roadplane/solver/rivals/dprgt.hpp"

#include <cmath>
#include <utility>

namespace roadplane {

template <int N, int P>
Dprgt<N, P>::Dprgt(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
                   const DprgtOptions& options)
    : Method<N, P>(channel, objectives, std::move(x_init), options.step),
      mixer_(channel, 2 * static_cast<int>(this->x_[0].size()), options.gossip, 2),
      g_(this->x_.size(), this->zero()),
      g_next_(this->zero()),
      x_previous_(this->zero()),
      tracked_(this->zero()) {
  options.validate();
  for (Matrix& x : this->x_) this->stiefel_.retract(x);  // the method lives on the manifold
  Dprgt::start(options.first_iteration - 1);
}

template <int N, int P>
void Dprgt<N, P>::start(std::int64_t) {
  mixer_.forget();
  for (int i = 0; i < this->hosted(); ++i) this->riemannian_gradient(i, g_[i]);
  s_ = g_;
}

template <int N, int P>
void Dprgt<N, P>::iterate(std::int64_t) {
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
    // s+ = W s + g+ - g
    this->riemannian_gradient(i, g_next_);
    s_[i] = this->as_matrix(mixed + size) + g_next_ - g_[i];
    g_[i] = g_next_;
  }
}

template class Dprgt<Eigen::Dynamic, Eigen::Dynamic>;
template class Dprgt<4, 1>;

}  // namespace roadplane
