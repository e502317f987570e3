#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "low_points.hpp"
#include "roadplane/dpcp/robust_options.hpp"
#include "roadplane/network/channel.hpp"
#include "roadplane/solver/ledger.hpp"

namespace roadplane {

/// The one coarse, common start: the same bits for every agent.
struct CoarseFloor {
  Floor plane;         ///< in the file's frame
  double on = 0;       ///< of all low points, how many lie on it
  bool clear = false;  ///< low points near it are denser on it than beside it
  bool rival = false;  ///< another plane, clearly not this one, carries more of them
};

/// The largest numbers of columns and points that an agent has, the same for everybody.
struct LargestShard {
  double points = 0;
  std::int64_t columns = 0;
};

struct FloorSearch {
  std::optional<CoarseFloor> floor;  ///< nothing if nobody could propose one
  LargestShard largest;
};

/// Each agent proposes floors through three of its own low points; proposals reach everybody by
/// flooding, all agents weigh them by gossip, those that lead take two steps towards all agents'
/// points, and of these one is chosen. Sought is what is level and lies below things; only if
/// nothing level carries low points, planes that other axes of the file point up from.
FloorSearch find_coarse_floor(Channel& channel, std::span<const HomogeneousCloud> clouds,
                              const RobustOptions& options, std::uint64_t seed, Ledger& ledger);

}  // namespace roadplane
