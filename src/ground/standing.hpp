#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cell_points.hpp"
#include "roadplane/ground/relief.hpp"
#include "roadplane/network/channel.hpp"

namespace roadplane {

/// In which cells something stands on the ground: a bit each, sent as it is.
class StandingCells {
 public:
  void set(int cell) {
    rings_[cell % ReliefGrid::kRings] |= std::uint64_t{1} << (cell / ReliefGrid::kRings);
  }
  bool at(int column, int ring) const { return ((rings_[ring] >> column) & 1) != 0; }
  void add(const StandingCells& other) {
    for (int ring = 0; ring < ReliefGrid::kRings; ++ring) rings_[ring] |= other.rings_[ring];
  }

 private:
  static_assert(ReliefGrid::kColumns == 64, "a bit for each");
  std::array<std::uint64_t, ReliefGrid::kRings> rings_{};
};

/// What an agent sees stand: more of its points in the band above the plane than below that.
StandingCells find_standing(const CellPoints& points, const ReliefOptions& options);

/// What any agent sees stand, for each hosted one: passed on from neighbour to neighbour until it
/// has crossed the network.
std::vector<StandingCells> share_standing(Channel& channel, std::vector<StandingCells> own);

}  // namespace roadplane
