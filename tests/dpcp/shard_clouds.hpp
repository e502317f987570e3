#pragma once

#include <vector>

#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/geometry/shards.hpp"

namespace roadplane::test {

inline constexpr int kAgents = 16;

/// The cloud of every agent.
inline std::vector<HomogeneousCloud> shard_clouds(const Scan& scan, ShardKind kind, int agents) {
  const Shards shards = make_shards(scan, kind, agents, 1);
  std::vector<HomogeneousCloud> clouds(agents);
  for (int i = 0; i < agents; ++i) clouds[i].assign(scan, shards[i]);
  return clouds;
}

}  // namespace roadplane::test
