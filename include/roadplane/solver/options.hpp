#pragma once

#include <cstdint>

#include "roadplane/network/mixer.hpp"

namespace roadplane {

/// When a solve ends. Limits of 0 are off; none is ever exceeded, see Ledger.
struct StopOptions {
  std::int64_t max_iterations = 10'000;  ///< number of the last one
  std::int64_t max_rounds = 0;           ///< communication rounds, in the paper's count
  std::int64_t max_messages = 0;         ///< per link, in each of its two directions
  double max_bytes = 0;                  ///< sent by an agent, on average
  std::int64_t max_samples = 0;          ///< component gradients evaluated, per agent
  double max_seconds = 0;         ///< [s] of solving; only where one process hosts all agents
  double residual_tolerance = 0;  ///< on every agent's own residual; agreed on by neighbours only
  double stationarity_tolerance =
      0;                      ///< on the StaGap; a study's stop, since it is observed globally
  double safe_radius = 0.9;   ///< ||X'X - I||_F beyond which an agent reports divergence
  int max_step_halvings = 0;  ///< on divergence: halve the step, go on from the last good iterates
};

/// When the trace gets an entry. Observing costs a full pass and a global view, so it is off.
struct TraceOptions {
  bool checks = false;     ///< whenever the agents check how far they are
  std::int64_t every = 0;  ///< [iterations]; 0 is off
  double growth = 0;  ///< at 1, 2, ... iterations, each at least so many times the last; 0 is off
  bool end = false;   ///< at the end
  bool mean = false;  ///< entries hold the agents' mean iterate, too
  /// Entries tell the worst agent's distance from the minimiser, which Newton's method finds from
  /// the solve's own result; where the objective has a bowl.
  bool minimiser = false;
};

/// What all solvers have in common.
struct SolverOptions {
  /// Whether a method mixes the iterates and then steps, which bears shorter steps than the other
  /// way round; its options say so.
  static constexpr bool kMixesFirst = false;
  /// Whether a method takes no step of its own choice, so that it gives the same in whatever scale.
  static constexpr bool kScaleIsNothing = false;
  /// A step at which no kind of shards diverges on whitened scans.
  static constexpr double kStepWhenWhitened = 0.02;

  double step = 0.1;     ///< eta, or beta_1 of the retraction methods
  GossipOptions gossip;  ///< how often neighbours talk in an iteration
  /// Where the numbers of the iterations begin, in limits, results and traces, too. A solve that
  /// goes on from another's iterates goes on with its schedule and its random numbers.
  std::int64_t first_iteration = 1;
  StopOptions stop;
  TraceOptions trace;
  std::uint64_t seed = 1;

  /// Throws InputError naming the bad field and its range.
  void validate() const;
};

/// How a step size changes with the epoch k = 1, 2, ...
enum class StepSchedule { constant, inverse_sqrt, inverse };  // step, step/sqrt(k), step/k

double scheduled_step(double step, StepSchedule schedule, std::int64_t epoch);

}  // namespace roadplane
