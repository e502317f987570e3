#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "roadplane/dpcp/finding.hpp"
#include "roadplane/dpcp/robust_options.hpp"
#include "roadplane/dpcp/spectrum.hpp"
#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/solver/registry.hpp"

namespace roadplane {

/// The paper's objective: maximise the whitened l3 norm.
struct L3Options {
  double gossip_tolerance = 1e-14;  ///< to which the agents agree on the second moment
};

struct PlaneOptions {
  AnySolverOptions solver;  ///< its limits are those of the whole solve
  std::variant<RobustOptions, L3Options> objective;

  /// Throws InputError naming the bad field and its range.
  void validate() const;
};

/// Where a solve begins.
enum class PlaneStart {
  found,    ///< at a floor that the agents found in their points
  tracked,  ///< at the plane of the scan before
  lost,     ///< there, and then, since what came of it was doubted, at a floor
};

std::string_view to_string(PlaneStart start);

/// What the agents found.
struct PlaneFit {
  std::vector<Eigen::Vector4d> w;  ///< the hosted agents' hyperplanes, unit, upwards; empty if none
  Eigen::Vector4d coarse = Eigen::Vector4d::Zero();  ///< where the robust solve began
  SolveResult<4, 1> solve;     ///< in the solver's coordinates; its trace is of hyperplanes
  std::string degeneracy;      ///< why there is no plane; empty if there is one
  Traffic start;               ///< sent before the solver's first iteration
  Traffic traffic;             ///< all of it
  double start_seconds = 0;    ///< before the solver's first iteration
  double solving_seconds = 0;  ///< from there to the end; looking is not counted
  std::int64_t samples = 0;    ///< all that an agent has looked at, see Ledger
  Finding finding;             ///< what else is known of the plane
  PlaneStart began = PlaneStart::found;
  double step = 0;        ///< eta, before any halving
  int gossip_rounds = 1;  ///< messages per link in an iteration
};

/// The agents' second moments and point counts, averaged by gossip: for each hosted agent its view
/// of the whole cloud's spectrum. All views agree to the tolerance.
std::vector<Spectrum> agree_on_spectrum(Channel& channel, std::span<const HomogeneousCloud> clouds,
                                        double tolerance);

/// So many columns of each agent's cloud are enough: a sample of that size moves the minimiser of a
/// robust loss by less than the data's own uncertainty (docs/plane.md). The paper's objective is
/// that of all points.
std::size_t columns_enough(const PlaneOptions& options, int agents);

/// Decentralised dual principal component pursuit: the hyperplane w that many columns b of the
/// agents' clouds are orthogonal to, and that may be a road. One cloud per hosted agent; nothing
/// but small vectors leaves an agent.
PlaneFit find_plane(Channel& channel, std::span<const HomogeneousCloud> clouds,
                    const PlaneOptions& options);

}  // namespace roadplane
