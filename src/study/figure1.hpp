#pragma once

#include <cstdint>
#include <vector>

#include "page.hpp"
#include "pca_problem.hpp"
#include "roadplane/study/context.hpp"

namespace roadplane {

/// The paper's Figure 1: VRSGT hardly depends on the penalty beta.
struct Figure1Options {
  /// The paper prints U and V with orthonormal columns. Then the second moment's largest eigenvalue
  /// is xi/m = 1.4e-5, and with the printed step of 1e-4 nothing would move. `scale` = n is what
  /// entries of unit variance in U and V give: with it the printed step converges.
  SpectrumOptions problem{.scale = 200};
  double step = 1e-4;  ///< eta
  int batch = 10;
  std::int64_t rounds = 20'000;
  std::int64_t trace_every = 100;  ///< [iterations]
  std::vector<double> penalties = {0.01, 1, 100};
  int seeds = 3;  ///< of the draws and the network
};

struct Figure1 {
  Figure1Options options;
  std::vector<NamedTrace> traces;         ///< penalty by penalty, one per seed
  std::vector<std::string> terminations;  ///< how each solve ended
  double largest_ratio = 0;  ///< of two penalties' StaGap at equal rounds and seed, anywhere
};

Figure1 measure_figure1(const Figure1Options& options, const StudyContext& context);
Outcome write_figure1(const Figure1& figure, const std::filesystem::path& folder);

}  // namespace roadplane
