#include "roadplane/solver/method.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "roadplane/base/field_error.hpp"

namespace roadplane {

std::string_view to_string(Termination termination) {
  switch (termination) {
    case Termination::converged:
      return "converged";
    case Termination::iteration_limit:
      return "iteration limit";
    case Termination::round_limit:
      return "round limit";
    case Termination::sample_limit:
      return "sample limit";
    case Termination::time_limit:
      return "time limit";
    case Termination::diverged:
      return "diverged";
    case Termination::degenerate_input:
      return "degenerate input";
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
  for (const auto& objective : objectives) most = std::max<double>(most, objective->samples());
  most_samples_ = static_cast<std::int64_t>(channel.flood_max(most));
}

template <int N, int P>
void Method<N, P>::restart(std::span<const Matrix> x, std::int64_t iteration) {
  std::copy(x.begin(), x.end(), x_.begin());
  step_ /= 2;
  start(iteration);
}

namespace {

/// One solve under way.
template <int N, int P>
class Run {
 public:
  Run(Method<N, P>& method, const SolverOptions& options, Ledger& ledger)
      : method_(method),
        options_(options),
        ledger_(ledger),
        samples_before_(ledger.samples()),
        stiefel_(static_cast<int>(method.iterates()[0].rows()),
                 static_cast<int>(method.iterates()[0].cols())),
        looked_at_(method.channel().traffic().messages_per_link) {
    count_samples();
    result_.x.assign(method.iterates().begin(), method.iterates().end());
    const TraceOptions& trace = options.trace;
    if (trace.stages || trace.every > 0 || trace.growth > 0 || trace.end ||
        options.stop.stationarity_tolerance > 0) {
      observer_.emplace(method.channel(), method.objectives(),
                        static_cast<int>(method.iterates()[0].cols()));
      result_.trace.reserve(1024);
    }
  }

  SolveResult<N, P> operator()() {
    const TraceOptions& trace = options_.trace;
    if (trace.stages || trace.every > 0 || trace.growth > 0) observe(0);
    for (std::int64_t k = 1;; ++k) {
      method_.iterate(k);
      count_samples();
      result_.iterations = k;
      const std::optional<Termination> limit = limit_reached(k);
      std::optional<Termination> verdict;
      if (limit || k % method_.stage_length() == 0) {
        verdict = check();
        if (verdict == Termination::diverged && back_off()) {
          k = good_iteration_;
          continue;
        }
        good_iteration_ = k;
      }
      if (trace_due(k, verdict || limit) && observe(k)) return finish(Termination::converged);
      if (verdict) return finish(*verdict);
      if (limit) return finish(*limit);
    }
  }

 private:
  std::optional<Termination> limit_reached(std::int64_t k) const {
    if (k >= options_.stop.max_iterations) return Termination::iteration_limit;
    return ledger_.limit_reached(options_.stop);
  }

  void count_samples() {
    ledger_.count_samples(samples_before_ + method_.samples() - ledger_.samples());
  }

  /// The agents agree, by neighbours only, on whether somebody has left the safe region and whether
  /// everybody has arrived.
  std::optional<Termination> check() {
    const auto x = method_.iterates();
    double largest = 0;
    for (std::size_t r = 0; r < x.size(); ++r) {
      const bool safe = stiefel_.infeasibility(x[r]) <= options_.stop.safe_radius;  // not for NaN
      const double residual = method_.residual(static_cast<int>(r));
      const bool good = safe && std::isfinite(residual);
      largest = std::max(largest, good ? residual : std::numeric_limits<double>::infinity());
    }
    result_.residual = method_.channel().flood_max(largest);
    if (std::isinf(result_.residual)) return Termination::diverged;
    std::copy(x.begin(), x.end(), result_.x.begin());
    const double tolerance = options_.stop.residual_tolerance;
    if (tolerance > 0 && result_.residual <= tolerance) return Termination::converged;
    return std::nullopt;
  }

  /// All agents saw the same flood, so all of them come here together. Rounds and samples spent so
  /// far stay counted.
  bool back_off() {
    if (result_.step_halvings >= options_.stop.max_step_halvings) return false;
    ++result_.step_halvings;
    method_.restart(result_.x, good_iteration_);
    return true;
  }

  bool trace_due(std::int64_t k, bool last) const {
    if (!observer_) return false;
    const TraceOptions& trace = options_.trace;
    const bool stages = trace.stages || options_.stop.stationarity_tolerance > 0;
    return last || (stages && k % method_.stage_length() == 0) ||
           (trace.every > 0 && k % trace.every == 0) || (trace.growth > 0 && k >= next_growth_);
  }

  /// Whether the observed StaGap is within the tolerance.
  bool observe(std::int64_t k) {
    if (!observer_) return false;
    ledger_.watch().pause();
    next_growth_ =
        std::max<std::int64_t>(k + 1, std::llround(options_.trace.growth * static_cast<double>(k)));
    observer_->observe(method_.iterates());
    const double gap = observer_->gap().total();
    if (std::isfinite(gap)) {  // a diverging solve is ended by check(), not by its trace
      const bool whole = options_.trace.stages || options_.trace.every > 0;  // not just the end
      const double objective = whole ? observer_->objective() : 0;
      result_.trace.push_back({k, observer_->gap(), objective, ledger_.traffic(), ledger_.samples(),
                               ledger_.seconds(), links_down()});
      if (options_.trace.mean) result_.trace.back().mean = observer_->mean();
    }
    result_.observing_seconds += ledger_.watch().resume();
    const double tolerance = options_.stop.stationarity_tolerance;
    return tolerance > 0 && gap <= tolerance;
  }

  /// Per round, since the last time that this was asked.
  double links_down() {
    const Network& network = method_.channel().network();
    const std::int64_t now = method_.channel().traffic().messages_per_link;
    return network.faults.mean_links_down(network.graph, std::exchange(looked_at_, now), now);
  }

  SolveResult<N, P> finish(Termination termination) {
    if (termination != Termination::diverged) {
      std::copy(method_.iterates().begin(), method_.iterates().end(), result_.x.begin());
    }
    result_.termination = termination;
    result_.traffic = ledger_.traffic();
    result_.samples = ledger_.samples();
    result_.seconds = ledger_.seconds();
    return std::move(result_);
  }

  Method<N, P>& method_;
  const SolverOptions& options_;
  Ledger& ledger_;
  std::int64_t samples_before_;
  Stiefel<N, P> stiefel_;
  std::int64_t looked_at_;  ///< the round up to which failing links have been counted
  std::optional<Observer<N, P>> observer_;
  SolveResult<N, P> result_;
  std::int64_t good_iteration_ = 0;  ///< the one that result_.x comes from
  std::int64_t next_growth_ = 1;     ///< the iteration of the next entry by TraceOptions::growth
};

}  // namespace

template <int N, int P>
SolveResult<N, P> run(Method<N, P>& method, const SolverOptions& options, Ledger& ledger) {
  options.validate();
  const Channel& channel = method.channel();
  if (options.stop.max_seconds > 0 && channel.hosted_count() != channel.network().agents()) {
    throw FieldError("stop.max_seconds", "all agents in one process", "several, with own clocks");
  }
  return Run<N, P>(method, options, ledger)();
}

template class Method<Eigen::Dynamic, Eigen::Dynamic>;
template class Method<4, 1>;
template SolveResult<Eigen::Dynamic, Eigen::Dynamic> run(Method<Eigen::Dynamic, Eigen::Dynamic>&,
                                                         const SolverOptions&, Ledger&);
template SolveResult<4, 1> run(Method<4, 1>&, const SolverOptions&, Ledger&);

}  // namespace roadplane
