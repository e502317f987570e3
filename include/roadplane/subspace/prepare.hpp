#pragma once

#include <Eigen/Core>
#include <span>
#include <string_view>
#include <vector>

#include "roadplane/network/channel.hpp"
#include "roadplane/solver/ledger.hpp"

namespace roadplane {

/// Points that the agents hold, as the columns of one matrix per hosted agent.
struct SharedPoints {
  std::vector<Eigen::MatrixXd> shards;
  std::size_t points = 0;  ///< of all agents

  int n() const { return static_cast<int>(shards.front().rows()); }
  /// What the agent counts for, so that a mean over agents is the mean over points.
  double weight(std::size_t hosted, int agents) const;
  std::int64_t largest_shard(int agents) const;
};

/// What is done to the points first, in this order.
struct Preparation {
  enum class Normalise {
    none,
    features,  ///< every coordinate to a standard deviation of 1
    points,    ///< every point to length 1
  };

  bool centre = false;       ///< subtract the mean of all points
  bool homogeneous = false;  ///< append a coordinate that is 1
  Normalise normalise = Normalise::none;
};

/// Throws FieldError that lists the known names.
Preparation::Normalise normalise_from_string(std::string_view name);

/// Mean and deviations are agreed on by gossip. Throws InputError, in all processes, if a
/// coordinate that is to be normalised is constant.
SharedPoints prepare(Channel& channel, SharedPoints points, const Preparation& preparation,
                     Ledger& ledger);

}  // namespace roadplane
