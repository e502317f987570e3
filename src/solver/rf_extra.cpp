#include "roadplane/solver/rf_extra.hpp"

#include <cmath>
#include <utility>

#include "roadplane/base/field_error.hpp"

namespace roadplane {

void RfExtraOptions::validate() const {
  SolverOptions::validate();
  require(penalty > 0 && std::isfinite(penalty), "penalty", "a number above 0", penalty);
}

template <int N, int P>
RfExtra<N, P>::RfExtra(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
                       const RfExtraOptions& options)
    : Method<N, P>(channel, objectives, std::move(x_init), options.step),
      options_(options),
      mixer_(channel, static_cast<int>(this->x_[0].size()), options.gossip),
      s_(this->x_.size(), this->zero()),
      h_(this->x_.size(), this->zero()),
      h_next_(this->zero()),
      x_previous_(this->zero()),
      gradient_(this->zero()) {
  options.validate();
  RfExtra::start(0);
}

template <int N, int P>
void RfExtra<N, P>::start(std::int64_t) {
  mixer_.forget();
  for (int i = 0; i < this->hosted(); ++i) {
    field(i, h_[i]);
    s_[i] = -this->step_ * h_[i];
  }
}

template <int N, int P>
void RfExtra<N, P>::iterate(std::int64_t) {
  auto& x = this->x_;
  for (int i = 0; i < this->hosted(); ++i) this->as_matrix(mixer_.outgoing(i)) = x[i];
  mixer_.mix();

  for (int i = 0; i < this->hosted(); ++i) {
    const auto mixed = this->as_matrix(std::as_const(mixer_).mixed(i));
    x_previous_ = x[i];
    x[i] = mixed + s_[i];  // x+ = W x + s
    this->residual_[i] = std::sqrt(s_[i].squaredNorm() / (this->step_ * this->step_) +
                                   (x[i] - x_previous_).squaredNorm());
    // s+ = (W - V) x + s - alpha (H+ - H), (W - V) x = (W x - x) / 2
    field(i, h_next_);
    s_[i] += (mixed - x_previous_) / 2 - this->step_ * (h_next_ - h_[i]);
    h_[i] = h_next_;
  }
}

template <int N, int P>
void RfExtra<N, P>::field(int i, Matrix& result) {
  this->objectives_[i]->gradient(this->x_[i], gradient_);
  this->stiefel_.direction(this->x_[i], gradient_, options_.penalty, result);
}

template class RfExtra<Eigen::Dynamic, Eigen::Dynamic>;
template class RfExtra<4, 1>;

}  // namespace roadplane
