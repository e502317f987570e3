#include "roadplane/solver/dprsrm.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "draw_batch.hpp"
#include "roadplane/base/field_error.hpp"

namespace roadplane {

void DprsrmOptions::validate() const {
  SolverOptions::validate();
  require(momentum > 0 && momentum <= 1, "momentum", "a number in (0, 1]", momentum);
  require(batch >= 1, "batch", "at least 1 sample", batch);
}

template <int N, int P>
Dprsrm<N, P>::Dprsrm(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
                     const DprsrmOptions& options)
    : ProjectedTracking<N, P>(channel, objectives, std::move(x_init), options),
      options_(options),
      gradient_(this->zero()),
      gradient_previous_(this->zero()) {
  options.validate();
  batch_.resize(static_cast<std::size_t>(options.batch));
  this->start(0);
}

template <int N, int P>
std::span<const std::uint32_t> Dprsrm<N, P>::draw(int i, std::int64_t iteration) {
  const std::uint32_t samples = this->objectives_[i]->samples();
  if (samples == 0) return {};
  draw_batch(options_.seed, this->channel_.hosted()[i], iteration, samples, batch_);
  return batch_;
}

template <int N, int P>
void Dprsrm<N, P>::first_estimate(int i, std::int64_t iteration, Matrix& q) {
  this->objectives_[i]->batch_gradient(this->x_[i], draw(i, iteration), q);
  this->stiefel_.project(this->x_[i], q);
}

template <int N, int P>
void Dprsrm<N, P>::next_estimate(int i, std::int64_t iteration, const Matrix& previous, Matrix& q) {
  this->objectives_[i]->batch_gradients(this->x_[i], previous, draw(i, iteration), gradient_,
                                        gradient_previous_);
  this->stiefel_.project(this->x_[i], gradient_);
  this->stiefel_.project(previous, gradient_previous_);
  // q+ = grad_C f_i(x+) + (1 - tau) (q - grad_C f_i(x))
  q = gradient_ + (1 - options_.momentum) * (q - gradient_previous_);
}

template class Dprsrm<Eigen::Dynamic, Eigen::Dynamic>;
template class Dprsrm<4, 1>;

}  // namespace roadplane
