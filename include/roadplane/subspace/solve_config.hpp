#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "roadplane/base/number_table.hpp"
#include "roadplane/geometry/shards.hpp"
#include "roadplane/network/network.hpp"
#include "roadplane/subspace/find_subspace.hpp"

namespace roadplane {

/// What the user asked for, in the words of the command line and of a configuration file.
struct SolveConfig {
  std::string path;                          ///< points, a row each: .csv or .npy
  std::string objective = "pca";             ///< pca, l3 or robust
  int p = 1;                                 ///< columns of X
  bool centre = false;                       ///< subtract the mean of all points
  std::string normalise = "none";            ///< none, features or points
  bool homogeneous = false;                  ///< append a coordinate that is 1
  std::string whiten = "auto";               ///< yes, no; auto is yes for l3 with p < n
  std::string start = "auto";                ///< random, spectral, FILE; auto is random for pca
  std::string loss = "tukey";                ///< of robust
  double scale = 0;                          ///< of robust, in the units of the points
  std::string truth;                         ///< .csv or .npy with a basis, a column each; or empty
  int agents = 16;                           ///< d
  std::string topology = "erdos-renyi:0.5";  ///< who talks to whom
  std::string mixing = "metropolis";         ///< weights of the mixing matrix
  std::string links;                         ///< faults: "drop=0.1,outage=5" or empty
  std::string wire = "auto";          ///< full, single, half or bits=N; auto suits the message
  std::string shards = "contiguous";  ///< contiguous, interleaved or random
  std::string solver = "vrsgt";       ///< one of solver_names()
  double step = 0;                    ///< eta; 0 is automatic
  double penalty = 0;                 ///< beta of vrsgt and destiny; 0 is automatic
  int batch = 16;                     ///< samples per stochastic iteration
  int gossip_rounds = 1;              ///< messages on a link in an iteration
  std::string schedule;               ///< of drsgd and drgta; empty is the solver's own
  std::int64_t iterations = 10'000;   ///< limit
  double tolerance = 1e-9;            ///< on every agent's residual, relative
  std::string budget;                 ///< rounds=N, samples=N or seconds=T; empty is none
  std::int64_t trace_every = 0;       ///< [iterations]; 0 is every stage of the solver
  std::string format = "csv";         ///< of X: csv or npy
  std::uint64_t seed = 1;
};

/// Keys are the names of the command line, so that a run's own configuration can be given to it.
nlohmann::json to_json(const SolveConfig& config);

/// The configuration made concrete, for points of dimension n.
struct SolvePlan {
  Network network;
  ShardKind shards;
  Preparation preparation;
  SubspaceOptions subspace;
  std::optional<Eigen::MatrixXd> truth;  ///< orthonormal columns, at most p of them

  /// Checks words and numbers; reads no file. Throws FieldError naming the field at fault.
  static void check(const SolveConfig& config);
  /// The files that the configuration names are read here.
  SolvePlan(const SolveConfig& config, const NumberTable& table);
};

}  // namespace roadplane
