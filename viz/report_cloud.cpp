#include "roadplane/viz/report_cloud.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "roadplane/viz/palette.hpp"

namespace roadplane::viz {
namespace {

void check_counts(const LabelledCloud& cloud, std::span<const std::vector<std::uint8_t>> road_of) {
  const auto check = [&](const char* what, std::size_t count) {
    if (count == cloud.points.size()) return;
    throw std::invalid_argument(std::string("pack_cloud: expected ") + what + " of " +
                                std::to_string(cloud.points.size()) + " points, found " +
                                std::to_string(count));
  };
  for (const auto& road : road_of) check("labels", road.size());
  if (!cloud.truth.empty()) check("truth", cloud.truth.size());
  if (!cloud.owner.empty()) check("owners", cloud.owner.size());
  if (!cloud.height_m.empty()) check("heights", cloud.height_m.size());
}

float reach(const Point& p) { return std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}); }

std::vector<std::size_t> chosen_points(PointSpan points, std::size_t most, float reach_m) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (is_drawable(points[i]) && reach(points[i]) <= reach_m) all.push_back(i);
  }
  if (all.size() <= most) return all;
  std::vector<std::size_t> chosen(most);
  for (std::size_t k = 0; k < most; ++k) chosen[k] = all[k * all.size() / most];
  return chosen;
}

std::int8_t centimetres(float height_m) {
  constexpr float kMost = std::numeric_limits<std::int8_t>::max();
  return static_cast<std::int8_t>(std::lround(std::clamp(100 * height_m, -kMost, kMost)));
}

}  // namespace

ReportCloud pack_cloud(const LabelledCloud& cloud,
                       std::span<const std::vector<std::uint8_t>> road_of, std::size_t most,
                       float reach_m) {
  check_counts(cloud, road_of);
  const auto chosen = chosen_points(cloud.points, most, reach_m);
  ReportCloud packed;
  packed.of = cloud.points.size();
  packed.points = chosen.size();
  float extent = 0;
  for (const std::size_t i : chosen) extent = std::max(extent, reach(cloud.points[i]));
  packed.quantum_m = extent / std::numeric_limits<std::int16_t>::max();

  const std::size_t bytes = (road_of.size() + 7) / 8;
  packed.road.assign(bytes * chosen.size(), 0);
  const auto quantised = [&](float v) {
    return static_cast<std::int16_t>(std::lround(v / packed.quantum_m));
  };
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const std::size_t i = chosen[k];
    const Point& p = cloud.points[i];
    packed.xyz.insert(packed.xyz.end(), {quantised(p.x), quantised(p.y), quantised(p.z)});
    for (std::size_t m = 0; m < road_of.size(); ++m) {
      if (road_of[m][i] != 0) packed.road[k * bytes + m / 8] |= std::uint8_t(1U << (m % 8));
    }
    if (!cloud.truth.empty()) packed.truth.push_back(cloud.truth[i]);
    if (!cloud.owner.empty()) packed.agents.push_back(cloud.owner[i] % Palette::kAgentColors);
    if (!cloud.height_m.empty()) packed.height_cm.push_back(centimetres(cloud.height_m[i]));
  }
  return packed;
}

}  // namespace roadplane::viz
