#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "roadplane/mpi/process_group.hpp"
#include "roadplane/solver/result.hpp"
#include "roadplane/subspace/solve_config.hpp"

namespace roadplane {

/// What there is to say of a solve.
struct SolveRecord {
  std::size_t points = 0;
  int n = 0;
  int p = 0;
  Termination termination = Termination::converged;
  std::int64_t iterations = 0;
  int step_halvings = 0;
  double curvature = 0;  ///< the largest of any agent's objective, at the start
  double step = 0;       ///< eta as used at first
  Traffic traffic;
  std::int64_t messages = 0;  ///< of all agents
  double bytes_per_agent = 0;
  std::int64_t samples = 0;
  double seconds = 0;
  StationarityGap gap;  ///< of what was solved: whitened where that was asked for
  double objective = 0;
  double consensus_error = 0;  ///< largest distance of an agent's X from the mean

  /// Of one column of X, over the points as they were solved for but not whitened.
  struct Column {
    double mean_abs = 0;     ///< mean |x'd|
    double mean_square = 0;  ///< mean (x'd)^2; of pca, an eigenvalue of the second moment
  };
  std::vector<Column> columns;
  std::optional<std::size_t> within_scale;     ///< of robust: points nearer than the scale
  std::vector<double> exact_eigenvalues;       ///< of pca: the p largest of the second moment
  std::optional<double> exact_subspace_error;  ///< of pca: against their eigenvectors
  std::optional<double> subspace_error;        ///< against the truth
  std::optional<double> subspace_error_worst_agent;
};

nlohmann::json to_json(const SolveRecord& record);

/// Why a result is none, in a line; nothing if it is one.
std::optional<std::string> why_unsolved(const SolveRecord& record);

struct Solved {
  SolveRecord record;
  /// n x p, orthonormal: the agents' mean. Of pca its columns are the components, largest first; of
  /// the others they are in the order of mean |x'd|, least first.
  Eigen::MatrixXd x;
  std::vector<TraceEntry> trace;
  std::vector<double> trace_errors;  ///< against a truth of p columns; else empty
};

/// The whole job: reads, divides among the agents, solves and looks at the result. All processes
/// call it and get the same. Throws AgreedError where something is wrong with the input.
Solved solve_table(const SolveConfig& config, const ProcessGroup& processes);

/// The record and its columns as aligned text.
std::string solved_text(const Solved& solved, const SolveConfig& config);

/// solve.json, trace.csv and X.csv or X.npy.
void write_solved(const Solved& solved, const SolveConfig& config,
                  const std::filesystem::path& folder);

}  // namespace roadplane
