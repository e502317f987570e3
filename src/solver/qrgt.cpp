#include "roadplane/solver/qrgt.hpp"

#include <cmath>
#include <utility>

#include "roadplane/base/field_error.hpp"

namespace roadplane {
namespace {

GossipOptions quantised(const QrgtOptions& options) {
  GossipOptions gossip = options.gossip;
  gossip.wire = Wire::few(options.bits);
  return gossip;
}

}  // namespace

void QrgtOptions::validate() const {
  SolverOptions::validate();
  require(penalty > 0 && std::isfinite(penalty), "penalty", "a number above 0", penalty);
  require(consensus_step > 0 && consensus_step <= 1, "consensus_step", "a number in (0, 1]",
          consensus_step);
  require_range("bits", bits, Wire::kFewest, Wire::kMost);
}

template <int N, int P>
Qrgt<N, P>::Qrgt(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
                 const QrgtOptions& options)
    : Method<N, P>(channel, objectives, std::move(x_init), options.step),
      options_(options),
      mixer_(channel, 2 * static_cast<int>(this->x_[0].size()), quantised(options), 2),
      h_(this->x_.size(), this->zero()),
      h_next_(this->zero()),
      x_previous_(this->zero()),
      gradient_(this->zero()) {
  options.validate();
  Qrgt::start(0);
}

template <int N, int P>
void Qrgt<N, P>::start(std::int64_t) {
  mixer_.forget();
  for (int i = 0; i < this->hosted(); ++i) field(i, h_[i]);
  s_ = h_;
}

template <int N, int P>
void Qrgt<N, P>::iterate(std::int64_t) {
  auto& x = this->x_;
  const auto size = x[0].size();
  const double gamma = options_.consensus_step;

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
    // x+ = x + gamma (W - I) Q(x) - alpha s
    x[i] += gamma * (this->as_matrix(mixed) - x_previous_) - this->step_ * s_[i];
    this->residual_[i] = std::sqrt(s_[i].squaredNorm() + (x[i] - x_previous_).squaredNorm());
    field(i, h_next_);
    // s+ = s + gamma (W - I) Q(s) + h+ - h
    s_[i] = (1 - gamma) * s_[i] + gamma * this->as_matrix(mixed + size) + h_next_ - h_[i];
    h_[i] = h_next_;
  }
}

template <int N, int P>
void Qrgt<N, P>::field(int i, Matrix& result) {
  this->objectives_[i]->gradient(this->x_[i], gradient_);
  this->stiefel_.direction(this->x_[i], gradient_, options_.penalty, result);
}

template class Qrgt<Eigen::Dynamic, Eigen::Dynamic>;
template class Qrgt<4, 1>;

}  // namespace roadplane
