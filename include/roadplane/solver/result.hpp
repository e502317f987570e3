#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roadplane/network/channel.hpp"
#include "roadplane/solver/expense.hpp"
#include "roadplane/solver/stationarity.hpp"

namespace roadplane {

/// Why a solve ended.
enum class Termination {
  converged,
  iteration_limit,
  round_limit,
  message_limit,
  byte_limit,
  sample_limit,
  time_limit,
  diverged,
  degenerate_input,
  budget_too_small,  ///< for the first iteration: nothing was solved
};

std::string_view to_string(Termination termination);

/// One look at a running solve.
struct TraceEntry {
  std::int64_t iteration = 0;
  StationarityGap gap;
  double objective = 0;  ///< with TraceOptions::checks or every
  Traffic traffic;
  std::int64_t samples = 0;  ///< component gradients evaluated, per agent
  double seconds = 0;        ///< of solving; looking is not counted
  double links_down = 0;     ///< per round, on average since the entry before; see LinkFaults
  /// Of the worst agent from the minimiser, with TraceOptions::minimiser. Those who look at all
  /// points at once know it, no agent does.
  std::optional<double> distance = {};
  Eigen::MatrixXd mean = {};  ///< Xbar, with TraceOptions::mean; of find_plane: its hyperplane
};

/// What a solve gives back.
template <int N, int P>
struct SolveResult {
  std::vector<Eigen::Matrix<double, N, P>> x;     ///< of the hosted agents; the last good iterates
  std::vector<Eigen::Matrix<double, N, P>> kept;  ///< beside them, see Method::kept()
  Termination termination = Termination::iteration_limit;
  std::int64_t iterations = 0;  ///< that count: those undone by a halved step do not
  Traffic traffic;              ///< since the ledger began
  std::int64_t samples = 0;     ///< component gradients evaluated, by the agent with most samples
  int step_halvings = 0;  ///< how often the step was halved because iterates left the safe region
  double residual = 0;    ///< the largest of all agents' at the last check
  double seconds = 0;     ///< since the ledger began, looking not counted
  double observing_seconds = 0;  ///< of looking at it, for the trace
  std::string needs;             ///< of budget_too_small: what would do, "112 rounds"
  Expense opening;               ///< of the first iteration, all before it, and a check
  std::vector<TraceEntry> trace;
};

}  // namespace roadplane
