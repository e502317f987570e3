#include "roadplane/solver/method.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace roadplane {

std::string_view to_string(Termination termination) {
  switch (termination) {
    case Termination::converged:
      return "converged";
    case Termination::iteration_limit:
      return "iteration limit";
    case Termination::round_limit:
      return "round limit";
    case Termination::message_limit:
      return "message limit";
    case Termination::byte_limit:
      return "byte limit";
    case Termination::sample_limit:
      return "sample limit";
    case Termination::time_limit:
      return "time limit";
    case Termination::diverged:
      return "diverged";
    case Termination::degenerate_input:
      return "degenerate input";
    case Termination::budget_too_small:
      return "budget too small";
  }
  return "?";
}

template <int N, int P>
Method<N, P>::Method(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
                     double step)
    : channel_(channel),
      objectives_(objectives),
      x_(std::move(x_init)),
      step_(step),
      residual_(x_.size(), 0),
      stiefel_(static_cast<int>(x_.at(0).rows()), static_cast<int>(x_.at(0).cols())) {
  const auto hosted = static_cast<std::size_t>(channel.hosted_count());
  if (objectives.size() != hosted || x_.size() != hosted) {
    throw std::invalid_argument("solver: expected one objective and one start per hosted agent");
  }
  double most = 0;
  for (std::size_t i = 0; i < hosted; ++i) {
    if (!channel.gone(static_cast<int>(i))) most = std::max<double>(most, objectives[i]->samples());
  }
  const Traffic before = channel.traffic();
  most_samples_ = static_cast<std::int64_t>(channel.flood_max(most));
  making_traffic_ = channel.traffic() - before;
}

template <int N, int P>
void Method<N, P>::restart(std::span<const Matrix> x, std::int64_t iteration) {
  std::copy(x.begin(), x.end(), x_.begin());
  step_ /= 2;
  start(iteration);
}

template class Method<Eigen::Dynamic, Eigen::Dynamic>;
template class Method<4, 1>;

}  // namespace roadplane
