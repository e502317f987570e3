#include "relief_csv.hpp"

#include <fmt/format.h>

#include <iterator>

namespace roadplane {

std::string relief_csv(const Relief& relief, const Plane& plane) {
  using Grid = ReliefGrid;
  std::string text = fmt::format(
      "# sensor frame, x forward, y left; heights over the plane {:.9g} x + {:.9g} y + {:.9g} z + "
      "{:.9g} = 0; azimuth from x to y\n"
      "azimuth_from_deg,azimuth_to_deg,range_from_m,range_to_m,height_m,deviation_m,limit_m,"
      "spread_m,points\n",
      plane.normal.x(), plane.normal.y(), plane.normal.z(), plane.offset_m);
  for (int k = 0; k < Grid::kCells; ++k) {
    const Relief::Cell cell = relief.at(k);
    if (cell.deviation_m == 0) continue;  // not in a column of the agent's
    const int column = k / Grid::kRings, ring = k % Grid::kRings;
    const double degrees = 360.0 / Grid::kColumns;
    fmt::format_to(std::back_inserter(text),
                   "{:.6g},{:.6g},{:.6g},{:.6g},{:.4f},{:.4f},{:.4f},{:.4f},{}\n", column * degrees,
                   (column + 1) * degrees, Grid::begin_m(ring), Grid::begin_m(ring + 1),
                   cell.height_m, cell.deviation_m, cell.limit_m, cell.spread_m, cell.points);
  }
  return text;
}

}  // namespace roadplane
