#include "azimuth_order.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "roadplane/geometry/four_points.hpp"

namespace roadplane {
namespace {

/// Ascends with the azimuth from -pi to pi, as 0 to 4, without trigonometry. Points without an
/// azimuth (NaN) come last.
Quad pseudo_azimuth(const Coordinates& p) {
  const auto absolute = [](Quad v) { return v < 0.0F ? -v : v; };
  const Quad length = absolute(p.x) + absolute(p.y);
  const Quad slope = p.x / (length + std::numeric_limits<float>::min());
  const Quad turn = p.y < 0.0F ? 1.0F + slope : 3.0F - slope;
  return ((turn >= 0.0F) & (turn <= 4.0F)) ? turn : 4.0F - Quad{};
}

QuadMask sectors_at(Quad azimuth) {
  constexpr int kLast = kSectors - 1;
  const QuadMask number = __builtin_convertvector(azimuth * (kSectors / 4.0F), QuadMask);
  return number < kLast ? number : kLast - QuadMask{};
}

void sort_by_azimuth(PointSpan points, std::span<std::uint32_t> positions) {
  Scan chosen;
  for (const std::uint32_t k : positions) chosen.push_back(points[k]);
  std::vector<std::pair<float, std::uint32_t>> keys(positions.size());
  std::vector<float> azimuth(positions.size());
  for_each_four(chosen, azimuth.data(), pseudo_azimuth);
  for (std::size_t k = 0; k < keys.size(); ++k) keys[k] = {azimuth[k], positions[k]};
  std::sort(keys.begin(), keys.end());  // positions ascend: equal azimuths stay in their order
  for (std::size_t k = 0; k < keys.size(); ++k) positions[k] = keys[k].second;
}

}  // namespace

void find_sectors(PointSpan points, std::span<std::uint16_t> sectors) {
  for_each_four(points, sectors.data(),
                [](const Coordinates& p) { return sectors_at(pseudo_azimuth(p)); });
}

void order_by_azimuth(PointSpan points, std::span<const std::uint32_t> borders,
                      std::vector<std::uint32_t>& order) {
  order.resize(points.size());
  std::vector<std::uint16_t> sector(points.size());
  find_sectors(points, sector);
  std::vector<std::uint32_t> starts(kSectors + 1, 0);
  for (const std::uint16_t s : sector) ++starts[s + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
  for (std::size_t k = 0; k < points.size(); ++k) {
    order[next[sector[k]]++] = static_cast<std::uint32_t>(k);
  }
  for (const std::uint32_t border : borders) {
    if (border >= order.size()) continue;
    const std::size_t cut = sector[order[border]];
    sort_by_azimuth(points, std::span(order).subspan(starts[cut], starts[cut + 1] - starts[cut]));
  }
}

}  // namespace roadplane
