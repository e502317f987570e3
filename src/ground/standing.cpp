#include "standing.hpp"

namespace roadplane {

StandingCells find_standing(const CellPoints& points, const ReliefOptions& options) {
  StandingCells standing;
  const float band_m = options.standing_to_m - options.standing_from_m;
  for (const int column : points.columns()) {
    for (int ring = 0; ring < ReliefGrid::kRings; ++ring) {
      const int cell = column * ReliefGrid::kRings + ring;
      if (points.count(cell) == 0) continue;
      const float from_m =
          options.standing_from_m + options.standing_slope * ReliefGrid::centre_m(ring);
      const auto [high, low] = points[cell].count({from_m, from_m + band_m},
                                                  {-options.standing_from_m - from_m, from_m});
      if (high > low) {
        standing.set(cell);
      }
    }
  }
  return standing;
}

std::vector<StandingCells> share_standing(Channel& channel, std::vector<StandingCells> own) {
  constexpr int kWidth = ReliefGrid::kColumns;
  std::vector<double> table(static_cast<std::size_t>(channel.table_rows()) * kWidth);
  for (int round = 0; round < channel.network().flood_rounds(); ++round) {
    for (std::size_t i = 0; i < own.size(); ++i) {
      for (int c = 0; c < kWidth; ++c) {
        table[i * kWidth + c] = static_cast<double>(own[i].columns()[c]);
      }
    }
    channel.exchange(table, kWidth, 1);
    for (std::size_t i = 0; i < own.size(); ++i) {
      for (const Channel::Link& link : channel.links(static_cast<int>(i))) {
        const double* row = &table[static_cast<std::size_t>(link.row) * kWidth];
        for (int c = 0; c < kWidth; ++c) {
          own[i].columns()[c] |= static_cast<std::uint64_t>(row[c]);
        }
      }
    }
  }
  return own;
}

}  // namespace roadplane
