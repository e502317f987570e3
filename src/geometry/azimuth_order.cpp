#include "azimuth_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace roadplane {
namespace {

/// Ascends with the azimuth from -pi to pi, as 0 to 4, without trigonometry. Points without an
/// azimuth (NaN) come last.
float pseudo_azimuth(const Point& p) {
  const float length = std::abs(p.x) + std::abs(p.y);
  const float slope = p.x / (length + std::numeric_limits<float>::min());
  const float turn = p.y < 0 ? 1.0F + slope : 3.0F - slope;
  return turn >= 0 && turn <= 4 ? turn : 4.0F;
}

std::uint16_t sector_at(float azimuth) {
  const auto number = static_cast<std::size_t>(azimuth * (kSectors / 4.0F));
  return static_cast<std::uint16_t>(std::min(number, kSectors - 1));
}

}  // namespace

void find_sectors(PointSpan points, std::span<std::uint16_t> sectors) {
  for (std::size_t k = 0; k < points.size(); ++k) sectors[k] = sector_at(pseudo_azimuth(points[k]));
}

void order_by_azimuth(PointSpan points, std::span<const std::uint32_t> borders,
                      std::vector<std::uint32_t>& order) {
  order.resize(points.size());
  std::vector<float> azimuth(points.size());
  std::vector<std::uint16_t> sector(points.size());
  std::vector<std::uint32_t> starts(kSectors + 1, 0);
  for (std::size_t k = 0; k < points.size(); ++k) azimuth[k] = pseudo_azimuth(points[k]);
  for (std::size_t k = 0; k < points.size(); ++k) {
    sector[k] = sector_at(azimuth[k]);
    ++starts[sector[k] + 1];
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
  for (std::size_t k = 0; k < points.size(); ++k) {
    order[next[sector[k]]++] = static_cast<std::uint32_t>(k);
  }
  for (const std::uint32_t border : borders) {
    if (border >= order.size()) continue;
    const std::size_t cut = sector[order[border]];
    std::stable_sort(order.begin() + starts[cut], order.begin() + starts[cut + 1],
                     [&](std::uint32_t a, std::uint32_t b) { return azimuth[a] < azimuth[b]; });
  }
}

}  // namespace roadplane
