#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "roadplane/network/channel.hpp"

namespace roadplane {

/// Merges what all agents know into what each hosted one does, passed on from neighbour to
/// neighbour until it has crossed the network. What is merged twice must change nothing.
template <typename Row, typename Merge>
void flood(Channel& channel, std::vector<Row>& hosted, const Merge& merge) {
  static_assert(std::is_trivially_copyable_v<Row> && sizeof(Row) % 8 == 0);
  std::vector<std::byte> table(static_cast<std::size_t>(channel.table_rows()) * sizeof(Row));
  for (int round = 0; round < channel.network().flood_rounds(); ++round) {
    if (!hosted.empty()) std::memcpy(table.data(), hosted.data(), hosted.size() * sizeof(Row));
    channel.exchange(table, sizeof(Row), 1);
    for (std::size_t i = 0; i < hosted.size(); ++i) {
      for (const Channel::Link& link : channel.links(static_cast<int>(i))) {
        Row row;
        std::memcpy(&row, &table[static_cast<std::size_t>(link.row) * sizeof(Row)], sizeof(Row));
        merge(hosted[i], row);
      }
    }
  }
}

}  // namespace roadplane
