#include "roadplane/solver/stationarity.hpp"

#include <algorithm>
#include <cmath>

#include "newton_step.hpp"
#include "roadplane/solver/gossiped_rows.hpp"

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

/// As the agents of gossip-newton would have it after an endless gossip.
template <int N, int P>
bool Observer<N, P>::average_bowl(const Matrix& x, Bowl& bowl, Matrix& slope) const {
  const int agents = channel_.network().agents();
  const std::size_t triangle = static_cast<std::size_t>(triangle_of(x.rows()));
  const std::size_t width = 2 * triangle + static_cast<std::size_t>(x.size());
  std::vector<double> hosted(objectives_.size() * width);
  std::vector<double> all(static_cast<std::size_t>(agents) * width);
  for (std::size_t r = 0; r < objectives_.size(); ++r) {
    if (!common(r).bowl(x, bowl)) return false;
    common(r).gradient(x, slope);
    double* row = pack_triangle(bowl.moment, &hosted[r * width]);
    row = pack_triangle(bowl.curvature, row);
    std::copy_n(slope.data(), slope.size(), row);
  }
  channel_.observe(hosted, static_cast<int>(width), all);
  std::vector<double> sum(width, 0.0);
  for (int i = 0; i < agents; ++i) {
    if (!counts(i)) continue;
    const double* row = &all[static_cast<std::size_t>(i) * width];
    for (std::size_t k = 0; k < width; ++k) sum[k] += row[k] / counted();
  }
  const double* mean = unpack_triangle(sum.data(), bowl.moment);
  mean = unpack_triangle(mean, bowl.curvature);
  slope = Eigen::Map<const Matrix>(mean, x.rows(), x.cols());
  return true;
}

template <int N, int P>
auto Observer<N, P>::minimiser(std::span<const Matrix> hosted_iterates) -> std::optional<Matrix> {
  constexpr int kMostSteps = 200;
  constexpr double kAtRest = 1e-10;
  constexpr double kNearRest = 1e-6;  // sums in single precision come no nearer than 1e-8
  average_iterates(hosted_iterates);
  Matrix x = mean_;
  Matrix slope = x;
  Bowl bowl;
  stiefel_.retract(x);
  double before = 1;
  for (int k = 0; k < kMostSteps; ++k) {
    if (!x.allFinite() || !average_bowl(x, bowl, slope)) return std::nullopt;
    const Matrix step = newton_step<N, P>(x, bowl, slope);
    x += step;
    stiefel_.retract(x);
    const double moved = step.norm();
    if (moved <= kAtRest || (moved <= kNearRest && moved > before / 2)) return x;
    before = moved;
  }
  return std::nullopt;
}

template <int N, int P>
double Observer<N, P>::distance(std::span<const Matrix> hosted_iterates,
                                const Matrix& minimiser) const {
  const auto agents = static_cast<std::size_t>(channel_.network().agents());
  const int p = static_cast<int>(minimiser.cols());
  std::vector<double> own;
  for (std::size_t r = 0; r < hosted_iterates.size(); ++r) {
    const Matrix x = objectives_[r]->to_common(hosted_iterates[r]);
    Eigen::Matrix<double, P, P> turn = minimiser.transpose() * x;
    Stiefel<P, P>(p, p).retract(turn);
    own.push_back((x - minimiser * turn).norm());
  }
  std::vector<double> all(agents);
  channel_.observe(own, 1, all);
  double worst = 0;
  for (std::size_t i = 0; i < agents; ++i) {
    if (counts(static_cast<int>(i))) worst = std::max(worst, all[i]);
  }
  return worst;
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
