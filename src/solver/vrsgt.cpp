#include "roadplane/solver/vrsgt.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/base/field_error.hpp"

namespace roadplane {
namespace {

std::int64_t period_of(const VrsgtOptions& options, std::int64_t samples) {
  if (options.inner_iterations != VrsgtOptions::kAutomatic) return 1 + options.inner_iterations;
  return 1 + static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(samples))));
}

}  // namespace

void VrsgtOptions::validate() const {
  SolverOptions::validate();
  require(penalty >= 0 && std::isfinite(penalty), "penalty", "0 (off) or a number above", penalty);
  require(batch >= 1, "batch", "at least 1 sample", batch);
  require(inner_iterations >= VrsgtOptions::kAutomatic, "inner_iterations",
          "-1 (automatic) or more", inner_iterations);
}

template <int N, int P>
Vrsgt<N, P>::Vrsgt(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
                   const VrsgtOptions& options)
    : Method<N, P>(channel, objectives, std::move(x_init), options.step),
      options_(options),
      period_(period_of(options, this->most_samples_)),
      mixer_(channel, 2 * static_cast<int>(this->x_[0].size()), options.gossip, 2),
      s_(this->x_.size(), this->zero()),
      x_previous_(this->x_),
      batches_(this->x_.size() * options.batch),
      gradient_(this->zero()),
      gradient_previous_(this->zero()),
      direction_(this->zero()),
      s_next_(this->zero()) {
  options.validate();
  Vrsgt::start(options.first_iteration - 1);
}

/// Algorithm 1, initialisation: S = D = H_i(X_init).
template <int N, int P>
void Vrsgt<N, P>::start(std::int64_t iteration) {
  mixer_.forget();
  for (int i = 0; i < this->hosted(); ++i) {
    full_direction(i, s_[i]);
    if (!is_outer(iteration + 1)) draw_batch(i, iteration + 1);
  }
  d_ = s_;
}

template <int N, int P>
std::vector<typename Vrsgt<N, P>::Matrix> Vrsgt<N, P>::kept() const {
  std::vector<Matrix> others = d_;
  for (std::size_t i = 0; i < others.size(); ++i) others[i] -= s_[i];
  return others;
}

/// D = H_i(X_init) + (D - S) of before, which is 0 on average: mean_i D_i = mean_i S_i holds.
template <int N, int P>
void Vrsgt<N, P>::go_on_with(std::span<const Matrix> kept) {
  for (std::size_t i = 0; i < kept.size(); ++i) d_[i] = s_[i] + kept[i];
}

template <int N, int P>
void Vrsgt<N, P>::iterate(std::int64_t iteration) {
  auto& x = this->x_;
  const auto size = x[0].size();
  const bool outer = is_outer(iteration);

  // X and D travel in one message.
  for (int i = 0; i < this->hosted(); ++i) {
    double* message = mixer_.outgoing(i);
    this->as_matrix(message) = x[i] - this->step_ * d_[i];
    this->as_matrix(message + size) = d_[i];
  }
  mixer_.mix();

  for (int i = 0; i < this->hosted(); ++i) {
    const double* mixed = mixer_.mixed(i);
    x_previous_[i] = x[i];
    x[i] = this->as_matrix(mixed);  // X+ = W (X - eta D)
    if (outer) {
      full_direction(i, s_next_);  // S+ = H_i(X+)
    } else {
      recursive_direction(i, s_next_);
    }
    d_[i] = this->as_matrix(mixed + size) + s_next_ - s_[i];  // D+ = W D + S+ - S
    s_[i] = s_next_;
    // Drawn early: the samples come from memory while the other agents compute.
    if (!is_outer(iteration + 1)) draw_batch(i, iteration + 1);
  }
}

/// With replacement: a function of (seed, agent, iteration) alone.
template <int N, int P>
void Vrsgt<N, P>::draw_batch(int i, std::int64_t iteration) {
  const std::size_t first = static_cast<std::size_t>(i) * options_.batch;
  CounterRandom random(options_.seed, RandomUse::batch,
                       static_cast<std::uint32_t>(this->channel_.hosted()[i]),
                       static_cast<std::uint64_t>(iteration));
  for (std::uint32_t& index : std::span(batches_).subspan(first, options_.batch)) {
    index = random.below(this->objectives_[i]->samples());
  }
  this->objectives_[i]->prefetch(batch(i));
}

template <int N, int P>
std::span<const std::uint32_t> Vrsgt<N, P>::batch(int i) const {
  if (this->objectives_[i]->samples() == 0) return {};
  return std::span(batches_).subspan(static_cast<std::size_t>(i) * options_.batch, options_.batch);
}

template <int N, int P>
void Vrsgt<N, P>::full_direction(int i, Matrix& result) {
  this->objectives_[i]->gradient(this->x_[i], gradient_);
  this->stiefel_.direction(this->x_[i], gradient_, options_.penalty, result);
}

/// S+ = S + 1/tau sum_{j in C} (H_i^[j](X+) - H_i^[j](X)). H is affine in the gradient, so the mean
/// of the samples' directions is the direction of their mean gradient.
template <int N, int P>
void Vrsgt<N, P>::recursive_direction(int i, Matrix& result) {
  this->objectives_[i]->batch_gradients(this->x_[i], x_previous_[i], batch(i), gradient_,
                                        gradient_previous_);
  this->stiefel_.direction(this->x_[i], gradient_, options_.penalty, result);
  this->stiefel_.direction(x_previous_[i], gradient_previous_, options_.penalty, direction_);
  result += s_[i] - direction_;
}

template <int N, int P>
double Vrsgt<N, P>::residual(int i) const {
  return std::sqrt(d_[i].squaredNorm() + (this->x_[i] - x_previous_[i]).squaredNorm());
}

template class Vrsgt<Eigen::Dynamic, Eigen::Dynamic>;
template class Vrsgt<4, 1>;

}  // namespace roadplane
