#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pca_problem.hpp"
#include "roadplane/study/context.hpp"

namespace roadplane {

/// The paper's Table 1, complexities, checked by experiment: what it takes to reach a StaGap.
struct Table1Options {
  SpectrumOptions problem{.n = 30, .p = 3, .agents = 16, .samples_each = 1024, .decay = 0.97};
  std::vector<double> gaps = {1e-2, 1e-3, 1e-4, 1e-5};   ///< epsilon, descending
  std::vector<double> drsgd_gaps = {1e-2, 3e-3, 1e-3};   ///< of DRSGD, which takes long below
  std::vector<int> samples_each = {256, 1024, 4096};     ///< l, at a method's last epsilon
  std::vector<int> agents = {8, 16, 32};                 ///< d, at a method's last epsilon
  std::vector<double> steps = {0.57, 0.28, 0.14, 0.07};  ///< of the exact methods
  std::vector<double> drsgd_steps = {0.05, 0.02, 0.01, 0.005};
  int drsgd_batch = 16;
  std::int64_t most_iterations = 4000;
  std::int64_t most_drsgd_iterations = 10'000;
  int seeds = 3;  ///< of data, network and draws
};

/// A row: a method, DRGTA and DRSGD with one round of mixing per iteration and with as many as
/// their theory asks for.
struct Table1Method {
  const char* name;
  const char* solver;  ///< VRSGT, DRGTA or DRSGD
  bool theory_t;
  double samples[3];  ///< printed exponents of 1/eps, l and d: of the network's samples,
  double rounds[3];   ///< and of the rounds, over t
};
std::span<const Table1Method> table1_methods();

/// t >= ceil(log_lambda(1 / (2 sqrt(d)))): rounds of mixing per iteration.
int rounds_of_theory(double slem, int agents);

/// What a method needed, with the best step of the grid.
struct Cost {
  std::string method;
  int seed = 0;
  double gap = 0;  ///< epsilon
  int samples_each = 0;
  int agents = 0;
  int t = 1;           ///< rounds of mixing per iteration
  double samples = 0;  ///< component gradients, of the whole network
  double rounds = 0;
  double step = 0;
};

/// How a cost grows: y ~ variable^exponent.
struct Growth {
  std::string method;
  std::string cost;              ///< "samples", of the network, or "rounds", over t
  std::string variable;          ///< "1/eps", "l" or "d"
  double bound = 0;              ///< the printed exponent
  std::vector<double> measured;  ///< one per seed that reached enough

  std::optional<double> median() const;
  /// The theory bounds from above; costs that grow more slowly are within it.
  bool within_bound() const;
};

struct Table1 {
  Table1Options options;
  std::vector<Cost> costs;  ///< only what was reached
  std::vector<Growth> growths;
};

/// The epsilons that a method is asked for, descending.
const std::vector<double>& gaps_of(const std::string& method, const Table1Options& options);

Table1 measure_table1(const Table1Options& options, const StudyContext& context);
Outcome write_table1(const Table1& table, const std::filesystem::path& folder);

}  // namespace roadplane
