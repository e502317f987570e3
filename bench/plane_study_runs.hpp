#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plane_study_problems.hpp"
#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/evaluation/plane_distance.hpp"
#include "roadplane/geometry/plane.hpp"
#include "roadplane/geometry/shards.hpp"

namespace plane_study {

/// A field of RobustOptions and what it is multiplied by.
struct Change {
  std::string field;
  double factor = 1;

  void apply(roadplane::RobustOptions& options) const;
};

/// How often a frame is solved, and how.
struct Runs {
  std::uint64_t seeds = 1;
  bool networks = false;    ///< a ring, a star and a ring of 64 beside the default network
  std::vector<int> agents;  ///< of more networks like the default one
  bool shards = false;      ///< all kinds of shards
};

/// Between a plane and the truth.
struct Off {
  double error = 0;  ///< recovery error
  roadplane::PlaneDistance distance;
};

/// What is no plane is 90 degrees off.
Off off(const Eigen::Vector4d& w, const Eigen::Vector4d& truth, const Eigen::Vector3d& middle);

/// What the runs of a frame gave. Costs are of the default network, intervals and plane of the
/// first run.
struct Outcome {
  Off worst;         ///< each the worst of any agent
  double f1 = 0;     ///< at the default threshold, by the first agent's plane
  double moved = 0;  ///< recovery error between the planes of two runs
  int runs = 0;
  int elsewhere = 0;       ///< of them, whose plane is another than the first run's
  int unmarked = 0;        ///< of these, not suspect
  int wrong = 0;           ///< runs whose plane is far from the truth
  int unmarked_wrong = 0;  ///< of these, not suspect
  int suspect = 0;
  std::int64_t rounds = 0;
  std::int64_t messages = 0;  ///< per link
  std::int64_t iterations = 0;
  double kilobytes = 0;  ///< per agent
  double best_ms = 1e9;
  std::string note;
  std::optional<roadplane::Interval> tilt_deg, height_m;
  bool tilt_covered = false;
  bool height_covered = false;
  std::optional<Eigen::Vector4d> first;  ///< plane of the first run
  std::optional<Off> road_alone;         ///< the same loss's minimiser on the road's points
  std::optional<Off> road_alone_own;     ///< the same in a frame 1.73 m above the road
};

Outcome solve(const Problem& problem, const Runs& runs, const Change& change);

/// One solve on the default network and azimuth shards.
roadplane::PlaneFit solve_once(const roadplane::Scan& scan, roadplane::Target target);

}  // namespace plane_study
