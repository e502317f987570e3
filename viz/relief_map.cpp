#include "roadplane/viz/relief_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "legend.hpp"
#include "roadplane/viz/palette.hpp"

namespace roadplane::viz {
namespace {

using Grid = ReliefGrid;

constexpr int kSizePx = 900;
constexpr double kRangeM = 45;
constexpr double kMostM = 1;  // [m] where the colours end
constexpr Color kBackground{16, 18, 23};
constexpr Color kBorder{60, 64, 72};
constexpr Color kLow{40, 90, 220};
constexpr Color kLevel{225, 225, 215};
constexpr Color kHigh{215, 60, 40};

Color between(Color a, Color b, double share) {
  const auto mix = [share](int x, int y) {
    return static_cast<std::uint8_t>(std::lround(x + share * (y - x)));
  };
  return {mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b)};
}

Color color_of(double height_m) {
  const double share = std::min(1.0, std::abs(height_m) / kMostM);
  return between(kLevel, height_m < 0 ? kLow : kHigh, std::sqrt(share));
}

/// The agent whose cell it is: most points, or the surest where there are none; -1 if nobody's.
int owner_of(std::span<const Relief> reliefs, int cell) {
  int owner = -1;
  for (std::size_t i = 0; i < reliefs.size(); ++i) {
    const Relief::Cell c = reliefs[i].at(cell);
    if (c.deviation_m == 0) continue;
    if (owner >= 0) {
      const Relief::Cell best = reliefs[static_cast<std::size_t>(owner)].at(cell);
      if (c.points < best.points) continue;
      if (c.points == best.points && c.deviation_m >= best.deviation_m) continue;
    }
    owner = static_cast<int>(i);
  }
  return owner;
}

/// Number of the cell at a place, or -1.
int cell_at(double forward_m, double left_m) {
  const double range_m = std::hypot(forward_m, left_m);
  if (range_m >= Grid::kReachM) return -1;
  int ring = 0;
  while (Grid::begin_m(ring + 1) <= range_m) ++ring;
  double turn = std::atan2(left_m, forward_m) / (2 * std::numbers::pi);
  if (turn < 0) turn += 1;
  const int column = std::min(Grid::kColumns - 1, static_cast<int>(turn * Grid::kColumns));
  return column * Grid::kRings + ring;
}

}  // namespace

RgbImage draw_relief(std::span<const Relief> reliefs, const std::vector<std::string>& legend) {
  std::array<int, Grid::kCells> owners;
  std::array<Color, Grid::kCells> colors;
  for (int k = 0; k < Grid::kCells; ++k) {
    owners[k] = owner_of(reliefs, k);
    if (owners[k] < 0) continue;
    const Relief::Cell cell = reliefs[static_cast<std::size_t>(owners[k])].at(k);
    const bool ground = cell.points > 0 && cell.limit_m > 0;
    colors[k] = between(kBackground, color_of(cell.height_m), ground ? 1 : 0.2);
  }
  RgbImage image{kSizePx, kSizePx, std::vector<std::uint8_t>(std::size_t{3} * kSizePx * kSizePx)};
  std::vector<int> above(kSizePx, -1);  // owners in the row above
  for (int v = 0; v < kSizePx; ++v) {
    int left = -1;
    for (int u = 0; u < kSizePx; ++u) {
      const double metres = 2 * kRangeM / kSizePx;
      const int cell =
          cell_at((kSizePx / 2.0 - v - 0.5) * metres, (kSizePx / 2.0 - u - 0.5) * metres);
      const int owner = cell < 0 ? -1 : owners[cell];
      const bool border = (u > 0 && owner != left) || (v > 0 && owner != above[u]);
      const Color color = owner < 0 ? kBackground : border ? kBorder : colors[cell];
      std::uint8_t* pixel = &image.rgb[3 * (static_cast<std::size_t>(v) * kSizePx + u)];
      pixel[0] = color.r, pixel[1] = color.g, pixel[2] = color.b;
      left = above[u] = owner;
    }
  }
  draw_legend(legend, {{kLow, "1 m below the plane"}, {kLevel, "on it"}, {kHigh, "1 m above"}}, 1,
              image);
  return image;
}

}  // namespace roadplane::viz
