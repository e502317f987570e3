#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cell_points.hpp"
#include "roadplane/ground/relief.hpp"
#include "roadplane/network/channel.hpp"

namespace roadplane {

/// In which cells something stands on the ground: bit r of column c for ring r.
class StandingCells {
 public:
  void set(int cell) {
    columns_[cell / ReliefGrid::kRings] |= std::uint64_t{1} << (cell % ReliefGrid::kRings);
  }
  bool at(int column, int ring) const { return ((columns_[column] >> ring) & 1) != 0; }

  std::array<std::uint64_t, ReliefGrid::kColumns>& columns() { return columns_; }

 private:
  static_assert(ReliefGrid::kRings <= 53, "a column's bits fit a double that is sent");
  std::array<std::uint64_t, ReliefGrid::kColumns> columns_{};
};

/// What an agent sees stand: more of its points in the band above the plane than below that.
StandingCells find_standing(const CellPoints& points, const ReliefOptions& options);

/// What any agent sees stand, for each hosted one: passed on from neighbour to neighbour until it
/// has crossed the network.
std::vector<StandingCells> share_standing(Channel& channel, std::vector<StandingCells> own);

}  // namespace roadplane
