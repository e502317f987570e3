#include "roadplane/solver/stationarity.hpp"

#include <algorithm>

namespace roadplane {

template <int N, int P>
Observer<N, P>::Observer(const Channel& channel, Objectives<N, P> objectives, int p)
    : channel_(channel),
      objectives_(objectives),
      stiefel_(objectives[0]->n(), p),
      mean_(objectives[0]->n(), p),
      scratch_(objectives[0]->n(), p),
      direction_(objectives[0]->n(), p) {
  for (const auto& objective : objectives) common_.push_back(objective->in_common());
  hosted_rows_.resize(channel.hosted_count() * mean_.size());
  all_rows_.resize(channel.network().agents() * mean_.size());
}

template <int N, int P>
void Observer<N, P>::observe(std::span<const Matrix> hosted_iterates) {
  average_iterates(hosted_iterates);
  average_gradients();
  const double infeasibility = stiefel_.infeasibility(mean_);
  gap_.feasibility = infeasibility * infeasibility;
}

template <int N, int P>
void Observer<N, P>::average_iterates(std::span<const Matrix> hosted_iterates) {
  const int agents = channel_.network().agents();
  const auto size = mean_.size();
  for (std::size_t r = 0; r < hosted_iterates.size(); ++r) {
    scratch_ = objectives_[r]->to_common(hosted_iterates[r]);
    std::copy_n(scratch_.data(), size, hosted_rows_.data() + r * size);
  }
  channel_.observe(std::span(hosted_rows_).first(hosted_iterates.size() * size),
                   static_cast<int>(size), std::span(all_rows_).first(agents * size));
  const auto row = [&](int i) {
    return Eigen::Map<const Matrix>(all_rows_.data() + i * size, mean_.rows(), mean_.cols());
  };
  mean_.setZero();
  for (int i = 0; i < agents; ++i) {
    if (counts(i)) mean_ += row(i);
  }
  mean_ /= counted();
  gap_.consensus = 0;
  for (int i = 0; i < agents; ++i) {
    if (counts(i)) gap_.consensus += (row(i) - mean_).squaredNorm() / counted();
  }
}

template <int N, int P>
void Observer<N, P>::average_gradients() {
  const int agents = channel_.network().agents();
  const auto size = mean_.size();
  for (std::size_t r = 0; r < objectives_.size(); ++r) {
    common(r).gradient(mean_, scratch_);
    std::copy_n(scratch_.data(), size, hosted_rows_.data() + r * size);
  }
  channel_.observe(hosted_rows_, static_cast<int>(size), all_rows_);
  scratch_.setZero();
  for (int i = 0; i < agents; ++i) {
    if (!counts(i)) continue;
    scratch_ += Eigen::Map<const Matrix>(all_rows_.data() + i * size, mean_.rows(), mean_.cols());
  }
  scratch_ /= counted();
  stiefel_.gradient_part(mean_, scratch_, direction_);  // G is linear in the gradient
  gap_.gradient = direction_.squaredNorm();
}

template <int N, int P>
double Observer<N, P>::objective() {
  const auto agents = static_cast<std::size_t>(channel_.network().agents());
  for (std::size_t r = 0; r < objectives_.size(); ++r) {
    hosted_rows_[r] = common(r).value(mean_);
  }
  channel_.observe(std::span(hosted_rows_).first(objectives_.size()), 1,
                   std::span(all_rows_).first(agents));
  double sum = 0;
  for (std::size_t i = 0; i < agents; ++i) {
    if (counts(static_cast<int>(i))) sum += all_rows_[i];
  }
  return sum / counted();
}

template <int N, int P>
bool Observer<N, P>::counts(int agent) const {
  return !channel_.network().faults.gone(agent, channel_.traffic().messages_per_link);
}

template <int N, int P>
int Observer<N, P>::counted() const {
  const Network& network = channel_.network();
  return network.agents() - (network.faults.leaves() && !counts(network.faults.leaver) ? 1 : 0);
}

template class Observer<Eigen::Dynamic, Eigen::Dynamic>;
template class Observer<4, 1>;

}  // namespace roadplane
