#include "roadplane/solver/rivals/drsgd.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/base/field_error.hpp"

namespace roadplane {

void DrsgdOptions::validate() const {
  SolverOptions::validate();
  require(consensus_step > 0 && consensus_step <= 1, "consensus_step", "a number in (0, 1]",
          consensus_step);
  require(batch >= 1, "batch", "at least 1 sample", batch);
}

template <int N, int P>
Drsgd<N, P>::Drsgd(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
                   const DrsgdOptions& options)
    : Method<N, P>(channel, objectives, std::move(x_init), options.step),
      options_(options),
      mixer_(channel, static_cast<int>(this->x_[0].size()), options.gossip),
      epoch_length_(std::max<std::int64_t>(
          1, (this->most_samples_ + options.batch - 1) / std::max(1, options.batch))),
      gradient_(this->zero()),
      towards_neighbours_(this->zero()) {
  options.validate();
  for (int i = 0; i < this->hosted(); ++i) {
    order_.emplace_back(objectives[i]->samples());
    this->stiefel_.retract(this->x_[i]);  // the method lives on the manifold
  }
  Drsgd::start(options.first_iteration - 1);
}

/// Nothing is kept but the order of the draws: those of the epoch so far are made again.
template <int N, int P>
void Drsgd<N, P>::start(std::int64_t iteration) {
  const std::int64_t first = iteration / epoch_length_ * epoch_length_ + 1;
  for (int i = 0; i < this->hosted(); ++i) {
    for (std::int64_t k = first; k <= iteration; ++k) draw(i, k);
  }
}

template <int N, int P>
void Drsgd<N, P>::iterate(std::int64_t iteration) {
  auto& x = this->x_;
  const std::int64_t epoch = 1 + (iteration - 1) / epoch_length_;
  const double step = scheduled_step(this->step_, options_.schedule, epoch);

  for (int i = 0; i < this->hosted(); ++i) this->as_matrix(mixer_.outgoing(i)) = x[i];
  mixer_.mix();

  for (int i = 0; i < this->hosted(); ++i) {
    // c = P_x((W^t x)_i - x_i), g = P_x(stochastic gradient), x+ = R_x(alpha c - beta_k g)
    const auto batch = draw(i, iteration);
    this->objectives_[i]->batch_gradient(x[i], batch, gradient_);
    // The mean over an epoch is the gradient, also if some of its batches are short or empty.
    if (!batch.empty()) {
      gradient_ *= static_cast<double>(epoch_length_) * static_cast<double>(batch.size()) /
                   static_cast<double>(order_[i].size());
    }
    towards_neighbours_ = this->as_matrix(std::as_const(mixer_).mixed(i)) - x[i];
    this->stiefel_.project(x[i], gradient_);
    this->stiefel_.project(x[i], towards_neighbours_);
    // Whatever the step: one that hardly moves has not arrived.
    if (!batch.empty()) {
      this->residual_[i] = std::hypot(gradient_.norm(), towards_neighbours_.norm());
    }
    x[i] += options_.consensus_step * towards_neighbours_ - step * gradient_;
    this->stiefel_.retract(x[i]);
  }
}

template <int N, int P>
std::int64_t Drsgd<N, P>::iteration_samples(std::int64_t iteration) const {
  const std::int64_t first = (iteration - 1) % epoch_length_ * options_.batch;
  return std::min<std::int64_t>(options_.batch, this->most_samples_ - first);
}

/// A Fisher-Yates shuffle that goes on where it was, anew in each epoch: its draws are without
/// replacement, cost O(batch), and depend on the seed, the agent and the epoch's iterations only.
template <int N, int P>
std::span<const std::uint32_t> Drsgd<N, P>::draw(int i, std::int64_t iteration) {
  auto& order = order_[i];
  const auto count = static_cast<std::uint32_t>(order.size());
  const std::int64_t before = (iteration - 1) % epoch_length_ * options_.batch;
  if (before == 0) std::iota(order.begin(), order.end(), 0U);
  const auto first = static_cast<std::uint32_t>(std::min<std::int64_t>(count, before));
  const std::uint32_t last = std::min(count, first + static_cast<std::uint32_t>(options_.batch));
  CounterRandom random(options_.seed, RandomUse::batch,
                       static_cast<std::uint32_t>(this->channel_.hosted()[i]),
                       static_cast<std::uint64_t>(iteration));
  for (std::uint32_t k = first; k < last; ++k) {
    std::swap(order[k], order[k + random.below(count - k)]);
  }
  return std::span(order).subspan(first, last - first);
}

template class Drsgd<Eigen::Dynamic, Eigen::Dynamic>;
template class Drsgd<4, 1>;

}  // namespace roadplane
