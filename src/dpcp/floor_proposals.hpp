#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "low_points.hpp"
#include "roadplane/base/counter_random.hpp"
#include "roadplane/dpcp/road_prior.hpp"

namespace roadplane {

constexpr double kSameFloor = 0.02;  ///< [sine] between floors that are one

/// Low points on a floor, as many as are not outweighed by those below it.
inline double worth(const FloorCounts& counts) {
  return counts.on * counts.on / std::max(counts.on + counts.below, 1e-30);
}

/// The best near-level planes through three of an agent's low points, fewer than wanted if there
/// are not so many.
std::vector<Floor> proposed_floors(const LowPoints& points, const RoadTest& road,
                                   CounterRandom random, int draws, std::size_t wanted);

}  // namespace roadplane
