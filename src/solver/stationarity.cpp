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
  const std::size_t width = mean_.size() + 1;  // a gradient and a value
  hosted_rows_.resize(channel.hosted_count() * width);
  all_rows_.resize(channel.network().agents() * width);
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
    std::copy_n(hosted_iterates[r].data(), size, hosted_rows_.data() + r * size);
  }
  channel_.observe(std::span(hosted_rows_).first(hosted_iterates.size() * size),
                   static_cast<int>(size), std::span(all_rows_).first(agents * size));
  const auto row = [&](int i) {
    return Eigen::Map<const Matrix>(all_rows_.data() + i * size, mean_.rows(), mean_.cols());
  };
  mean_.setZero();
  for (int i = 0; i < agents; ++i) mean_ += row(i);
  mean_ /= agents;
  gap_.consensus = 0;
  worst_deviation_ = 0;
  for (int i = 0; i < agents; ++i) {
    const double squared = (row(i) - mean_).squaredNorm();
    gap_.consensus += squared / agents;
    worst_deviation_ = std::max(worst_deviation_, std::sqrt(squared));
  }
}

template <int N, int P>
void Observer<N, P>::average_gradients() {
  const int agents = channel_.network().agents();
  const auto size = mean_.size();
  const auto width = size + 1;
  for (std::size_t r = 0; r < objectives_.size(); ++r) {
    objectives_[r]->gradient(mean_, scratch_);
    std::copy_n(scratch_.data(), size, hosted_rows_.data() + r * width);
    hosted_rows_[r * width + size] = objectives_[r]->value(mean_);
  }
  channel_.observe(hosted_rows_, static_cast<int>(width), all_rows_);
  scratch_.setZero();
  objective_ = 0;
  for (int i = 0; i < agents; ++i) {
    scratch_ += Eigen::Map<const Matrix>(all_rows_.data() + i * width, mean_.rows(), mean_.cols());
    objective_ += all_rows_[i * width + size] / agents;
  }
  scratch_ /= agents;
  stiefel_.gradient_part(mean_, scratch_, direction_);  // G is linear in the gradient
  gap_.gradient = direction_.squaredNorm();
}

template class Observer<Eigen::Dynamic, Eigen::Dynamic>;
template class Observer<4, 1>;
template class Observer<4, 4>;

}  // namespace roadplane
