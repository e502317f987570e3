#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "roadplane/ground/relief_grid.hpp"
#include "roadplane/network/channel.hpp"

namespace roadplane {

/// One number for each column of the grid.
using ColumnNumbers = std::array<double, ReliefGrid::kColumns>;

/// Merges the rows of all agents into each hosted one's, passed on from neighbour to neighbour
/// until they have crossed the network. A row merged twice must change nothing.
template <typename Merge>
void flood(Channel& channel, std::vector<ColumnNumbers>& hosted, const Merge& merge) {
  constexpr std::size_t kWidth = ReliefGrid::kColumns;
  std::vector<double> table(static_cast<std::size_t>(channel.table_rows()) * kWidth);
  for (int round = 0; round < channel.network().flood_rounds(); ++round) {
    for (std::size_t i = 0; i < hosted.size(); ++i) {
      std::copy(hosted[i].begin(), hosted[i].end(), &table[i * kWidth]);
    }
    channel.exchange(table, kWidth, 1);
    for (std::size_t i = 0; i < hosted.size(); ++i) {
      for (const Channel::Link& link : channel.links(static_cast<int>(i))) {
        const double* row = &table[static_cast<std::size_t>(link.row) * kWidth];
        for (std::size_t c = 0; c < kWidth; ++c) hosted[i][c] = merge(hosted[i][c], row[c]);
      }
    }
  }
}

}  // namespace roadplane
