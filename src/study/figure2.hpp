#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "page.hpp"
#include "pca_problem.hpp"
#include "roadplane/solver/options.hpp"
#include "roadplane/study/context.hpp"

namespace roadplane {

/// The paper's Figure 2: PCA on MNIST, VRSGT against DRSGD on three networks.
struct Figure2Options {
  int agents = 16;
  int p = 5;
  int batch = 10;
  std::int64_t rounds = 3000;  ///< of every solve, in tuning and in the figure
  std::vector<double> steps = {0.03, 0.01, 0.003, 0.001, 0.0003};  ///< of both methods
  std::vector<std::string> networks = {"ring", "star", "erdos-renyi:0.5"};
  int trace_entries = 100;  ///< per curve
  std::uint64_t seed = 1;
  int seeds = 3;  ///< of the curves' draws
};

/// A method with one choice of its parameters.
struct Candidate {
  bool vrsgt = true;  ///< or DRSGD
  double step = 0;
  StepSchedule schedule = StepSchedule::constant;  ///< of DRSGD

  std::string to_string() const;
};

struct Figure2Network {
  std::string topology;
  double slem = 0;
  struct Trial {
    Candidate candidate;
    double stagap = 0;  ///< at the end; infinite if it diverged
  };
  std::vector<Trial> trials;           ///< the whole grid
  Candidate best[2];                   ///< of VRSGT and of DRSGD
  NamedTrace traces[2];                ///< of the best
  std::vector<NamedTrace> more;        ///< the same with other seeds
  std::int64_t below_from_rounds = 0;  ///< VRSGT lies below from here on; -1 if not at the end
};

struct Figure2 {
  Figure2Options options;
  std::string data;  ///< what was analysed: MNIST, or something else under its own name
  std::size_t samples_each = 0;
  std::vector<Figure2Network> networks;
};

/// MNIST's training pictures from `data`/mnist, or a generated stand-in where they are not.
/// `description` says which.
PcaProblem find_mnist(const std::filesystem::path& data, const Figure2Options& options,
                      std::string& description);

Figure2 measure_figure2(const PcaProblem& problem, const std::string& data,
                        const Figure2Options& options, const StudyContext& context);
Outcome write_figure2(const Figure2& figure, const std::filesystem::path& folder);

}  // namespace roadplane
