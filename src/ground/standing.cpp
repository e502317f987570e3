#include "standing.hpp"

#include <algorithm>

#include "flood.hpp"

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
  flood(channel, own, [](StandingCells& one, const StandingCells& other) { one.add(other); });
  return own;
}

}  // namespace roadplane
