#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "roadplane/dpcp/robust_options.hpp"
#include "roadplane/dpcp/spectrum.hpp"
#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/solver/registry.hpp"

namespace roadplane {

/// The paper's objective: maximise the whitened l3 norm. No options.
struct L3Options {};

struct DpcpOptions {
  AnySolverOptions solver;  ///< its limits on rounds and seconds include the whitening
  std::variant<RobustOptions, L3Options> objective;
  /// To which the agents agree on the second moment; 0 is 1e-14 for l3, 1e-4 for robust.
  double gossip_tolerance = 0;

  /// Throws InputError naming the bad field and its range.
  void validate() const;
};

struct DpcpResult {
  std::vector<Eigen::Vector4d> w;  ///< the hosted agents' hyperplanes, unit, upwards; empty if none
  SolveResult<4, 1> solve;         ///< in whitened coordinates; its trace counts all traffic
  std::string degeneracy;          ///< why there is no plane; empty if there is one
  Traffic whitening;               ///< what agreeing on the second moment took
  double whitening_seconds = 0;
  double solving_seconds = 0;  ///< start, iterations and last agreement; looking is not counted
  Traffic traffic;             ///< all of it: whitening, start, iterations, last agreement
  RoadFinding road;            ///< robust objective only: mounting, second plane
  double step = 0;             ///< eta of the last phase, before any halving
  int gossip_rounds = 1;       ///< messages per link in an iteration
};

/// The agents' second moments and point counts, averaged by gossip: for each hosted agent its view
/// of the whole cloud's spectrum. All views agree to the tolerance.
std::vector<Spectrum> agree_on_spectrum(Channel& channel, std::span<const HomogeneousCloud> shards,
                                        double tolerance);

/// Decentralised dual principal component pursuit: the hyperplane w that most columns b of the
/// shards are orthogonal to. On whitened data d = C^{-1/2} b either minimises a robust loss of x'd
/// that sharpens from one outer iteration to the next (the default), or maximises mean |x'd|^3 (the
/// paper's); then w = C^{-1/2} x. One shard per hosted agent; nothing but small vectors leaves an
/// agent.
DpcpResult solve_dpcp(Channel& channel, std::span<const HomogeneousCloud> shards,
                      const DpcpOptions& options);

}  // namespace roadplane
