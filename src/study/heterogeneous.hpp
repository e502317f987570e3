#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "road_study.hpp"
#include "roadplane/study/context.hpp"

namespace roadplane {

/// Agents whose points differ strongly, some holding road only and some none, and steps that do not
/// shrink: both methods at the same steps, on the same shards. Not of the paper.
struct HeterogeneousOptions {
  int agents = 16;
  std::vector<double> steps = {0.005, 0.02, 0.057, 0.1, 0.2};  ///< constant; of both methods
  double on_plane = 0.011;  ///< [rad] where no annotation says what is road
  int networks = 3;         ///< draws of the network
  std::uint64_t seed = 1;   ///< of the first
};

struct HeterogeneousRun {
  std::string frame;
  std::uint64_t seed = 0;
  double step = 0;
  double vrsgt = 0;  ///< recovery error of the mean iterate; infinite if it diverged
  double drsgd = 0;
  double vrsgt_consensus = 0;  ///< mean squared distance from the mean
  double drsgd_consensus = 0;
};

struct Heterogeneous {
  HeterogeneousOptions options;
  std::vector<RoadFrame> frames;
  std::vector<HeterogeneousRun> runs;  ///< frame by frame, network by network, step by step
};

Heterogeneous measure_heterogeneous(const HeterogeneousOptions& options,
                                    const StudyContext& context);
Outcome write_heterogeneous(const Heterogeneous& study, const std::filesystem::path& folder);

}  // namespace roadplane
