#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "roadplane/base/field_error.hpp"
#include "roadplane/solver/method.hpp"

namespace roadplane {
namespace {

/// Rounds between two checks for divergence and convergence, the same for every method, so that
/// none pays more for them than the others: a check, which is a flood, is a ninth of what is sent.
std::int64_t rounds_between_checks(const Network& network) {
  constexpr std::int64_t kLeast = 16;
  constexpr std::int64_t kFloods = 8;
  return std::max<std::int64_t>(kLeast, kFloods * network.flood_rounds());
}

/// One solve under way.
template <int N, int P>
class Run {
 public:
  using Matrix = typename Method<N, P>::Matrix;

  Run(Method<N, P>& method, const SolverOptions& options, Ledger& ledger)
      : method_(method),
        options_(options),
        first_(options.first_iteration),
        ledger_(ledger),
        stiefel_(static_cast<int>(method.iterates()[0].rows()),
                 static_cast<int>(method.iterates()[0].cols())),
        check_{flood_traffic(method.channel().network(), told_width(method.channel())), 0},
        missed_(has_left()),
        looked_at_(method.channel().traffic().messages_per_link) {
    ledger_.count_samples(method.start_samples());
    result_.x.assign(method.iterates().begin(), method.iterates().end());
    result_.iterations = good_iteration_ = first_ - 1;
    result_.opening = method.making() + method.expense_of(first_) + check_;
    const std::int64_t rounds = std::max<std::int64_t>(1, method.expense_of(first_).traffic.rounds);
    check_every_ = (rounds_between_checks(method.channel().network()) + rounds - 1) / rounds;
    const TraceOptions& trace = options.trace;
    if (trace.checks || trace.every > 0 || trace.growth > 0 || trace.end ||
        options.stop.stationarity_tolerance > 0) {
      observer_.emplace(method.channel(), method.objectives(),
                        static_cast<int>(method.iterates()[0].cols()));
      result_.trace.reserve(1024);
    }
  }

  SolveResult<N, P> operator()() {
    if (const auto limit = limit_before(first_)) return too_small(*limit);
    const TraceOptions& trace = options_.trace;
    if (trace.checks || trace.every > 0 || trace.growth > 0) observe(first_ - 1);
    for (std::int64_t k = first_;; ++k) {
      iterate(k);
      std::optional<Termination> limit = limit_before(k + 1);
      std::optional<Termination> verdict;
      if (limit || k % check_every_ == 0) {
        verdict = check();
        if (verdict == Termination::diverged && may_back_off()) {
          back_off();
          if (const auto left = limit_before(good_iteration_ + 1)) return finish(*left);
          k = good_iteration_;
          continue;
        }
        if (verdict != Termination::diverged) good_iteration_ = k;
        if (left_) {
          limit = ledger_.limit_before({{}, method_.start_samples()}, options_.stop);
          if (!limit) renew(k);
        }
        if (!limit) limit = limit_before(k + 1);  // the check took its part
      }
      if (trace_due(k, verdict || limit) && observe(k)) return finish(Termination::converged);
      if (verdict) return finish(*verdict);
      if (limit) return finish(*limit);
    }
  }

 private:
  void iterate(std::int64_t k) {
    const double before = ledger_.seconds();
    ledger_.count_samples(method_.expense_of(k).samples);
    method_.iterate(k);
    result_.iterations = k;
    constexpr double kForget = 0.99;  // a hitch of the machine is not for ever
    longest_seconds_ = std::max(kForget * longest_seconds_, ledger_.seconds() - before);
  }

  /// The limit that does not bear iteration k and a check after it.
  std::optional<Termination> limit_before(std::int64_t k) const {
    if (k > options_.stop.max_iterations) return Termination::iteration_limit;
    return ledger_.limit_before(method_.expense_of(k) + check_, options_.stop, longest_seconds_);
  }

  SolveResult<N, P> too_small(Termination limit) {
    result_.needs = ledger_.needs(limit, method_.expense_of(first_) + check_);
    return finish(Termination::budget_too_small);
  }

  /// The agents agree, by neighbours only, on whether somebody has left the safe region and whether
  /// everybody has arrived.
  std::optional<Termination> check() {
    const auto x = method_.iterates();
    double largest = 0;
    for (std::size_t r = 0; r < x.size(); ++r) {
      if (method_.channel().gone(static_cast<int>(r))) continue;
      const bool safe = stiefel_.infeasibility(x[r]) <= options_.stop.safe_radius;  // not for NaN
      const double residual = method_.residual(static_cast<int>(r));
      const bool good = safe && std::isfinite(residual);
      largest = std::max(largest, good ? residual : std::numeric_limits<double>::infinity());
    }
    const int width = told_width(method_.channel());
    std::array<double, 2> told{largest, neighbour_missed() ? 1.0 : 0.0};
    method_.channel().flood_max(std::span(told).first(static_cast<std::size_t>(width)));
    result_.residual = told[0];
    left_ = width > 1 && told[1] > 0 && !missed_;
    if (std::isinf(result_.residual)) return Termination::diverged;
    std::copy(x.begin(), x.end(), result_.x.begin());
    const double tolerance = options_.stop.residual_tolerance;
    if (left_) return std::nullopt;  // who has not left begins anew
    if (tolerance > 0 && result_.residual <= tolerance) return Termination::converged;
    return std::nullopt;
  }

  /// Where an agent may leave, a check also tells whether one is missed.
  static int told_width(const Channel& channel) {
    return channel.network().faults.leaves() ? 2 : 1;
  }

  /// Whether an agent has been silent for longer than any outage.
  bool has_left() const {
    const Channel& channel = method_.channel();
    const LinkFaults& faults = channel.network().faults;
    return faults.gone(faults.leaver, channel.traffic().messages_per_link - faults.window()) &&
           faults.leaves();
  }

  /// Whether that is a neighbour of a hosted agent.
  bool neighbour_missed() const {
    if (!has_left()) return false;
    const Network& network = method_.channel().network();
    const auto hosted = method_.channel().hosted();
    return std::any_of(hosted.begin(), hosted.end(), [&](int agent) {
      return network.graph.linked(agent, network.faults.leaver);
    });
  }

  /// All agents saw the same flood. What the one that left had told the others, and they had not
  /// yet passed on, would mislead them for ever; its iterate does not, which they had mixed with
  /// theirs.
  void renew(std::int64_t k) {
    left_ = false;
    missed_ = true;
    ledger_.count_samples(method_.start_samples());
    method_.renew(k);
  }

  /// Whether the step may be halved once more, and the budget bears the start that it takes.
  bool may_back_off() const {
    if (result_.step_halvings >= options_.stop.max_step_halvings) return false;
    return !ledger_.limit_before({{}, method_.start_samples()}, options_.stop);
  }

  /// All agents saw the same flood, so all of them come here together. Rounds and samples spent so
  /// far stay counted; what was seen of the branch that is given up is forgotten.
  void back_off() {
    ++result_.step_halvings;
    ledger_.count_samples(method_.start_samples());
    method_.restart(result_.x, good_iteration_);
    result_.iterations = good_iteration_;
    std::erase_if(result_.trace,
                  [&](const TraceEntry& entry) { return entry.iteration > good_iteration_; });
    seen_.resize(options_.trace.minimiser ? result_.trace.size() : 0);
  }

  bool trace_due(std::int64_t k, bool last) const {
    if (!observer_) return false;
    const TraceOptions& trace = options_.trace;
    const bool checks = trace.checks || options_.stop.stationarity_tolerance > 0;
    return last || (checks && k % check_every_ == 0) || (trace.every > 0 && k % trace.every == 0) ||
           (trace.growth > 0 && k >= next_growth_);
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
      const bool whole = options_.trace.checks || options_.trace.every > 0;  // not just the end
      const double objective = whole ? observer_->objective() : 0;
      result_.trace.push_back({k, observer_->gap(), objective, ledger_.traffic(), ledger_.samples(),
                               ledger_.seconds(), links_down()});
      if (options_.trace.mean) result_.trace.back().mean = observer_->mean();
      if (options_.trace.minimiser) {
        seen_.emplace_back(method_.iterates().begin(), method_.iterates().end());
      }
    }
    result_.observing_seconds += ledger_.watch().resume();
    const double tolerance = options_.stop.stationarity_tolerance;
    return tolerance > 0 && gap <= tolerance;
  }

  /// The minimiser is looked for where the solve ended: it may have several.
  void measure_distances() {
    if (seen_.empty()) return;
    ledger_.watch().pause();
    if (const auto minimiser = observer_->minimiser(result_.x)) {
      for (std::size_t k = 0; k < seen_.size(); ++k) {
        result_.trace[k].distance = observer_->distance(seen_[k], *minimiser);
      }
    }
    result_.observing_seconds += ledger_.watch().resume();
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
      result_.kept = method_.kept();
    }
    const bool seen =
        !result_.trace.empty() && result_.trace.back().iteration == result_.iterations;
    if (!seen && options_.trace.end) observe(result_.iterations);
    measure_distances();
    result_.termination = termination;
    result_.traffic = ledger_.traffic();
    result_.samples = ledger_.samples();
    result_.seconds = ledger_.seconds();
    return std::move(result_);
  }

  Method<N, P>& method_;
  const SolverOptions& options_;
  std::int64_t first_;  ///< number of the first iteration
  Ledger& ledger_;
  Stiefel<N, P> stiefel_;
  Expense check_;
  bool missed_;                   ///< an agent's leaving has been dealt with
  bool left_ = false;             ///< the last check told of one
  std::int64_t check_every_ = 1;  ///< [iterations]
  double longest_seconds_ = 0;    ///< of an iteration
  std::int64_t looked_at_;        ///< the round up to which failing links have been counted
  std::optional<Observer<N, P>> observer_;
  std::vector<std::vector<Matrix>> seen_;  ///< the iterates of the trace's entries
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

template SolveResult<Eigen::Dynamic, Eigen::Dynamic> run(Method<Eigen::Dynamic, Eigen::Dynamic>&,
                                                         const SolverOptions&, Ledger&);
template SolveResult<4, 1> run(Method<4, 1>&, const SolverOptions&, Ledger&);

}  // namespace roadplane
