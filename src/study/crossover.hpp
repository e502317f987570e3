#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hyperplane_problem.hpp"
#include "roadplane/study/context.hpp"

namespace roadplane {

/// Where VRSGT pays: what it, DESTINY and gossip-IRLS take until every agent is within a given
/// angle of the minimiser, against the dimension n and against the samples l of an agent.
struct CrossoverOptions {
  HyperplaneOptions problem;
  std::vector<int> dimensions = {2, 3, 4, 8, 16, 32, 64, 128, 200};   ///< n
  std::vector<int> samples_each = {32, 128, 512, 2048, 8192, 32768};  ///< l, at n = problem.n
  double hard_condition = 30;                                         ///< of a second sweep over n,
  std::vector<int> hard_dimensions = {2, 3, 4, 8, 16, 32, 64};        ///< over these
  std::vector<double> errors = {1e-2, 1e-4, 1e-6};                    ///< [rad], descending
  double drawn_error = 1e-4;                                          ///< [rad] of the figures
  std::vector<double> steps = {0.5, 0.25, 1, 0.125, 0.0625};          ///< of VRSGT and DESTINY
  std::vector<int> inner = {1, 4, 16, 64};                            ///< q of VRSGT
  std::vector<int> batches = {8, 32, 128};                            ///< tau of VRSGT
  std::vector<double> tolerances = {1e-2, 0.1, 1e-3, 1e-4, 1e-5, 1e-6};  ///< of gossip-IRLS
  std::int64_t most_iterations = 1000;
  int seeds = 5;  ///< of data, network, start and draws
};

/// One size of the problem.
struct CrossoverSize {
  int n = 0;
  int samples_each = 0;
  double condition = 0;

  friend bool operator==(const CrossoverSize&, const CrossoverSize&) = default;
};

/// What a method took, with the settings that took least of it.
struct CrossoverCost {
  std::string method;
  std::string cost;  ///< "bytes", sent by an agent; "rounds", by the paper's count; "messages" on a
                     ///< link; or "samples", of the largest shard
  CrossoverSize size;
  int seed = 0;
  double error = 0;  ///< [rad]
  double amount = 0;
  std::string setting;  ///< "0.5, q = 4, tau = 32"
};

/// From where on one method takes less of something than another, for each seed; between two sizes
/// by interpolation of logarithms. None where it does not up to the largest.
struct Crossing {
  std::string cost;
  std::string variable;  ///< "n" or "l"
  double condition = 0;
  std::string method;
  std::string other;
  double error = 0;  ///< [rad]
  double least = 0;  ///< size that was looked at: below, nothing is known
  std::vector<std::optional<double>> at;

  std::size_t found() const;
  std::optional<double> median() const;  ///< none if most seeds have none
};

struct Crossover {
  CrossoverOptions options;
  std::vector<CrossoverCost> costs;  ///< only what was reached
  std::vector<Crossing> crossings;

  /// What of `cost` a method took at a size; none if it did not get there.
  std::optional<double> amount(const std::string& method, const std::string& cost,
                               const CrossoverSize& size, int seed, double error) const;
  /// The sizes of a sweep over "n" or "l".
  std::vector<CrossoverSize> sweep(const std::string& variable, double condition) const;
};

Crossover measure_crossover(const CrossoverOptions& options, const StudyContext& context);
Outcome write_crossover(const Crossover& study, const std::filesystem::path& folder);

}  // namespace roadplane
