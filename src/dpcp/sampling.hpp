#pragma once

#include <algorithm>

#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/network/channel.hpp"
#include "roadplane/objective/window.hpp"

namespace roadplane {

/// What a hosted agent looks at when a sample of the points will do.
class Sampling {
 public:
  Sampling(const Channel& channel, std::size_t hosted_row)
      : agents_(static_cast<std::size_t>(channel.network().agents())),
        agent_(static_cast<std::uint32_t>(channel.hosted()[hosted_row])) {}

  /// The agent's part of so many groups of 16 points, at least 4.
  Thinning operator()(const HomogeneousCloud& cloud, std::size_t groups_of_all) const {
    return {std::max<std::size_t>(1, cloud.group_count() / own_groups(groups_of_all)), agent_};
  }
  /// Points that this is meant to be: what a ledger counts, the same wherever agents are hosted.
  std::int64_t points(std::size_t groups_of_all) const {
    return static_cast<std::int64_t>(own_groups(groups_of_all) * HomogeneousCloud::kLanes);
  }

 private:
  std::size_t own_groups(std::size_t groups_of_all) const {
    return std::max<std::size_t>(4, groups_of_all / agents_);
  }

  std::size_t agents_;
  std::uint32_t agent_;
};

}  // namespace roadplane
