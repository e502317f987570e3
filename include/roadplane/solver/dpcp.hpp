#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/geometry/spectrum.hpp"
#include "roadplane/solver/destiny.hpp"
#include "roadplane/solver/drgta.hpp"
#include "roadplane/solver/drsgd.hpp"
#include "roadplane/solver/vrsgt.hpp"

namespace roadplane {

/// The solver is chosen by the options that it takes.
using AnySolverOptions = std::variant<VrsgtOptions, DestinyOptions, DrsgdOptions, DrgtaOptions>;

struct DpcpOptions {
  AnySolverOptions solver;
  double gossip_tolerance = 1e-14;  ///< to which the agents agree on the second moment
};

struct DpcpResult {
  std::vector<Eigen::Vector4d> w;  ///< the hosted agents' hyperplanes, unit, upwards; empty if none
  SolveResult<4, 1> solve;         ///< in whitened coordinates
  std::string degeneracy;          ///< why there is no plane; empty if there is one
  Traffic whitening;               ///< what agreeing on the second moment took
  double whitening_seconds = 0;
};

/// The agents' second moments and point counts, averaged by gossip: for each hosted agent its view
/// of the whole cloud's spectrum. All views agree to the tolerance.
std::vector<Spectrum> agree_on_spectrum(Channel& channel, std::span<const HomogeneousCloud> shards,
                                        double tolerance);

/// Decentralised dual principal component pursuit: the hyperplane w that most columns b of the
/// shards are orthogonal to. Maximises mean |x'C^{-1/2}b|^3 over the sphere from the spectral
/// start, then w = C^{-1/2} x. One shard per hosted agent; nothing but small vectors leaves an
/// agent.
DpcpResult solve_dpcp(Channel& channel, std::span<const HomogeneousCloud> shards,
                      const DpcpOptions& options);

}  // namespace roadplane
