#include "roadplane/solver/drcgd.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace roadplane {

template <int N, int P>
Drcgd<N, P>::Drcgd(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
                   const DrcgdOptions& options)
    : Method<N, P>(channel, objectives, std::move(x_init), options.step),
      options_(options),
      mixer_(channel, 2 * static_cast<int>(this->x_[0].size()), options.gossip, 2),
      eta_(this->x_.size(), this->zero()),
      g_(this->x_.size(), this->zero()),
      g_next_(this->zero()),
      x_previous_(this->zero()),
      carried_(this->zero()) {
  options.validate();
  for (Matrix& x : this->x_) this->stiefel_.retract(x);  // the method lives on the manifold
  Drcgd::start(0);
}

template <int N, int P>
void Drcgd<N, P>::start(std::int64_t) {
  mixer_.forget();
  for (int i = 0; i < this->hosted(); ++i) {
    this->riemannian_gradient(i, g_[i]);
    eta_[i] = -g_[i];
  }
}

template <int N, int P>
void Drcgd<N, P>::iterate(std::int64_t iteration) {
  auto& x = this->x_;
  const auto size = x[0].size();
  const double step = scheduled_step(this->step_, options_.schedule, iteration);

  // x and eta travel in one message.
  for (int i = 0; i < this->hosted(); ++i) {
    double* message = mixer_.outgoing(i);
    this->as_matrix(message) = x[i];
    this->as_matrix(message + size) = eta_[i];
  }
  mixer_.mix();

  for (int i = 0; i < this->hosted(); ++i) {
    const double* mixed = std::as_const(mixer_).mixed(i);
    x_previous_ = x[i];
    x[i] = this->as_matrix(mixed) + step * eta_[i];  // x+ = P_M(W x + alpha eta)
    this->stiefel_.retract(x[i]);
    this->residual_[i] = std::sqrt(g_[i].squaredNorm() + (x[i] - x_previous_).squaredNorm());
    // eta+ = -g+ + beta+ P_x+(W eta)
    this->riemannian_gradient(i, g_next_);
    const double share = beta(g_[i], x[i]);
    carried_ = this->as_matrix(mixed + size);
    this->stiefel_.project(x[i], carried_);
    eta_[i] = share * carried_ - g_next_;
    g_[i] = g_next_;
  }
}

template <int N, int P>
double Drcgd<N, P>::beta(const Matrix& before, const Matrix& x) {
  const double was = before.squaredNorm();
  if (was == 0) return 0;
  const double fletcher_reeves = g_next_.squaredNorm() / was;
  if (options_.conjugacy == Conjugacy::fletcher_reeves) return fletcher_reeves;
  carried_ = before;
  this->stiefel_.project(x, carried_);
  const double turned = g_next_.cwiseProduct(carried_).sum() / was;
  return std::clamp(fletcher_reeves - turned, 0.0, fletcher_reeves);
}

template class Drcgd<Eigen::Dynamic, Eigen::Dynamic>;
template class Drcgd<4, 1>;

}  // namespace roadplane
