#pragma once

#include <vector>

#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/geometry/shards.hpp"

namespace roadplane::test {

inline constexpr int kAgents = 16;

/// The cloud of every agent, of at most so many columns.
inline std::vector<HomogeneousCloud> shard_clouds(const Scan& scan, ShardKind kind, int agents,
                                                  std::size_t most = HomogeneousCloud::kAll) {
  const Shards shards = make_shards(scan, kind, agents, 1);
  std::vector<HomogeneousCloud> clouds(agents);
  for (int i = 0; i < agents; ++i) {
    clouds[i].assign(scan, shards[i], {most, static_cast<std::uint32_t>(i)});
  }
  return clouds;
}

}  // namespace roadplane::test
