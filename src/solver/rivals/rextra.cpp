#include "roadplane/solver/rivals/rextra.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace roadplane {

template <int N, int P>
Rextra<N, P>::Rextra(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
                     const RextraOptions& options)
    : Method<N, P>(channel, objectives, std::move(x_init), options.step),
      mixer_(channel, static_cast<int>(this->x_[0].size()), options.gossip),
      s_(this->x_.size(), this->zero()),
      g_(this->x_.size(), this->zero()),
      g_next_(this->zero()),
      x_previous_(this->zero()),
      tangential_(this->zero()) {
  options.validate();
  for (Matrix& x : this->x_) this->stiefel_.retract(x);  // the method lives on the manifold
  Rextra::start(options.first_iteration - 1);
}

template <int N, int P>
void Rextra<N, P>::start(std::int64_t) {
  mixer_.forget();
  for (int i = 0; i < this->hosted(); ++i) {
    this->riemannian_gradient(i, g_[i]);
    s_[i] = -this->step_ * g_[i];
  }
}

template <int N, int P>
void Rextra<N, P>::iterate(std::int64_t) {
  auto& x = this->x_;
  for (int i = 0; i < this->hosted(); ++i) this->as_matrix(mixer_.outgoing(i)) = x[i];
  mixer_.mix();

  for (int i = 0; i < this->hosted(); ++i) {
    const auto mixed = this->as_matrix(std::as_const(mixer_).mixed(i));
    x_previous_ = x[i];
    x[i] = mixed + s_[i];  // x+ = P_M(W x + s)
    this->stiefel_.retract(x[i]);
    tangential_ = s_[i];  // 0 at a stationary consensus
    this->stiefel_.project(x[i], tangential_);
    this->residual_[i] = std::sqrt(tangential_.squaredNorm() / (this->step_ * this->step_) +
                                   (x[i] - x_previous_).squaredNorm());
    // s+ = (W - V) x + s - alpha (g+ - g), (W - V) x = (W x - x) / 2
    this->riemannian_gradient(i, g_next_);
    s_[i] += (mixed - x_previous_) / 2 - this->step_ * (g_next_ - g_[i]);
    g_[i] = g_next_;
  }
}

template class Rextra<Eigen::Dynamic, Eigen::Dynamic>;
template class Rextra<4, 1>;

}  // namespace roadplane
